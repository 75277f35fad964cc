import { asList, asObject } from '../../src/machinery/json/json.ts';
import type { Cluster } from './cluster.ts';
import { makeNamespace, mergePatch, testCases } from './controller-cases.ts';

const namespace = '/api/v1/namespaces/team';
const heldConfigMap = {
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name: 'held', finalizers: ['example.com/hold'] },
};

async function deleteNamespace(cluster: Cluster): Promise<void> {
  await cluster.send('DELETE', namespace);
  await cluster.settle();
}

const own = (cluster: Cluster): readonly string[] =>
  cluster
    .writes()
    .filter((line) => line.includes(':namespace-controller '))
    .map((line) => line.split(' ').slice(1).join(' '));

async function troubles(cluster: Cluster): Promise<readonly unknown[]> {
  const status = asObject((await cluster.find(namespace))?.['status']);
  const conditions = asList(status['conditions']).map(asObject);
  return conditions.filter((condition) => condition['status'] === 'True').map(({ message }) => message);
}

// Upstream: pkg/controller/namespace/deletion/namespaced_resources_deleter_test.go.
testCases([
  [
    'a deleted namespace empties and goes',
    async (cluster) => {
      await makeNamespace(cluster, 'team');
      await deleteNamespace(cluster);
      return [await cluster.find(namespace), await cluster.names(`${namespace}/configmaps`)];
    },
    [undefined, []],
  ],
  [
    'pods go before anything else',
    async (cluster) => {
      await makeNamespace(cluster, 'team');
      const spec = { containers: [{ name: 'c', image: 'i' }] };
      await cluster.send('POST', `${namespace}/pods`, { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'p' }, spec });
      await deleteNamespace(cluster);
      return own(cluster);
    },
    [
      `DELETE ${namespace}/pods 200`,
      `DELETE ${namespace}/configmaps 200`,
      `DELETE ${namespace}/serviceaccounts 200`,
      `PUT ${namespace}/status 200`,
      `PUT ${namespace}/finalize 200`,
    ],
  ],
  [
    'while a pod takes its grace, nothing else is touched',
    async (cluster) => {
      await makeNamespace(cluster, 'team');
      const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] };
      await cluster.send('POST', `${namespace}/pods`, { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'p' }, spec });
      await deleteNamespace(cluster);
      const during = await cluster.names(`${namespace}/serviceaccounts`);
      await cluster.pass(31_000);
      return [during, await cluster.find(namespace)];
    },
    [['default'], undefined],
  ],
  [
    'an object with a finalizer keeps it, and it says so',
    async (cluster) => {
      await makeNamespace(cluster, 'team');
      await cluster.send('POST', `${namespace}/configmaps`, heldConfigMap);
      await deleteNamespace(cluster);
      return [await cluster.names(`${namespace}/configmaps`), await troubles(cluster)];
    },
    [
      ['held'],
      [
        'Some resources are remaining: configmaps. has 1 resource instances',
        'Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances',
      ],
    ],
  ],
  [
    'when the finalizer goes, it goes',
    async (cluster) => {
      await makeNamespace(cluster, 'team');
      await cluster.send('POST', `${namespace}/configmaps`, heldConfigMap);
      await deleteNamespace(cluster);
      await cluster.send('PATCH', `${namespace}/configmaps/held`, { metadata: { finalizers: null } }, mergePatch);
      await cluster.settle();
      return cluster.find(namespace);
    },
    undefined,
  ],
  [
    'a finalizer of the namespace itself is left to its owner',
    async (cluster) => {
      const spec = { finalizers: ['example.com/hold', 'kubernetes'] };
      await cluster.send('POST', '/api/v1/namespaces', {
        kind: 'Namespace',
        apiVersion: 'v1',
        metadata: { name: 'team' },
        spec,
      });
      await cluster.settle();
      await deleteNamespace(cluster);
      return (await cluster.find(namespace))?.['spec'];
    },
    { finalizers: ['example.com/hold'] },
  ],
  [
    'an active namespace is left alone',
    async (cluster) => {
      await makeNamespace(cluster, 'team');
      await cluster.send('PATCH', namespace, { metadata: { labels: { a: 'b' } } }, mergePatch);
      await cluster.settle();
      return own(cluster);
    },
    [],
  ],
]);
