import { makeNamespace, testCases, mergePatch } from './controller-cases.ts';
import type { Cluster } from './cluster.ts';

const accounts = '/api/v1/namespaces/team/serviceaccounts';

// Upstream: pkg/controller/serviceaccount/serviceaccounts_controller_test.go.
testCases([
  [
    'the namespaces of a fresh server have a default account',
    async ({ names }) => [
      await names('/api/v1/namespaces/default/serviceaccounts'),
      await names('/api/v1/namespaces/kube-system/serviceaccounts'),
    ],
    [['default'], ['default']],
  ],
  [
    'a new namespace gets a default account',
    async (cluster) => {
      await makeNamespace(cluster, 'team');
      return cluster.names(accounts);
    },
    ['default'],
  ],
  [
    'a deleted one is created again',
    async (cluster) => {
      await makeNamespace(cluster, 'team');
      const before = await cluster.find(`${accounts}/default`);
      await cluster.send('DELETE', `${accounts}/default`);
      await cluster.settle();
      const after = await cluster.find(`${accounts}/default`);
      return after !== undefined && after.metadata?.uid !== before?.metadata?.uid;
    },
    true,
  ],
  [
    'another account stays deleted',
    async (cluster) => {
      await makeNamespace(cluster, 'team');
      await cluster.send('POST', accounts, { kind: 'ServiceAccount', apiVersion: 'v1', metadata: { name: 'robot' } });
      await cluster.send('DELETE', `${accounts}/robot`);
      await cluster.settle();
      return cluster.names(accounts);
    },
    ['default'],
  ],
  [
    'it is created by the ServiceAccount of its controller',
    async (cluster) => {
      await makeNamespace(cluster, 'team');
      return cluster.writes().filter((line) => line.includes(`POST ${accounts}`));
    },
    [`system:serviceaccount:kube-system:service-account-controller POST ${accounts} 201`],
  ],
]);

const configMap = '/api/v1/namespaces/team/configmaps/kube-root-ca.crt';
const description =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';

async function published({ find, settle }: Cluster): Promise<unknown> {
  await settle();
  const map = await find(configMap);
  return { data: map?.['data'], annotations: map?.metadata?.annotations };
}

const expected = { data: { 'ca.crt': 'the CA' }, annotations: { 'kubernetes.io/description': description } };

// Upstream: pkg/controller/certificates/rootcacertpublisher/publisher_test.go.
testCases([
  [
    'a new namespace gets the certificate',
    async (cluster) => {
      await makeNamespace(cluster, 'team');
      return published(cluster);
    },
    expected,
  ],
  [
    'a changed one is restored',
    async (cluster) => {
      await makeNamespace(cluster, 'team');
      await cluster.send('PATCH', configMap, { data: { 'ca.crt': 'mine', more: 'x' } }, mergePatch);
      return published(cluster);
    },
    expected,
  ],
  [
    'a deleted one is created again',
    async (cluster) => {
      await makeNamespace(cluster, 'team');
      await cluster.send('DELETE', configMap);
      return published(cluster);
    },
    expected,
  ],
  [
    'other annotations stay, and another description too',
    async (cluster) => {
      await makeNamespace(cluster, 'team');
      const annotations = { 'kubernetes.io/description': 'ours', team: 'a' };
      await cluster.send('PATCH', configMap, { metadata: { annotations } }, mergePatch);
      return published(cluster);
    },
    { data: expected.data, annotations: { 'kubernetes.io/description': 'ours', team: 'a' } },
  ],
  [
    'a removed description is added again',
    async (cluster) => {
      await makeNamespace(cluster, 'team');
      await cluster.send('PATCH', configMap, { metadata: { annotations: null } }, mergePatch);
      return published(cluster);
    },
    expected,
  ],
]);
