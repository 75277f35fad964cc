import { type JsonObject, valueAt } from '../../src/machinery/json/json.ts';
import type { Cluster } from './cluster.ts';
import { mergePatch, testCases } from './controller-cases.ts';

const pods = '/api/v1/namespaces/default/pods';
const nodes = '/api/v1/nodes';
const collector = 'system:serviceaccount:kube-system:pod-garbage-collector';

async function makePod({ send, settle }: Cluster, spec: JsonObject, metadata: JsonObject = {}): Promise<void> {
  const containers = [{ name: 'c', image: 'i' }];
  await send('POST', pods, {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name: 'p', ...metadata },
    spec: { containers, ...spec },
  });
  await settle();
}

const makeNode = async ({ send }: Cluster, spec: JsonObject = {}): Promise<unknown> =>
  send('POST', nodes, { kind: 'Node', apiVersion: 'v1', metadata: { name: 'n' }, spec });

const held = { finalizers: ['example.com/hold'] };

/** The Pod's phase and the reasons of its conditions; undefined when it is gone. */
async function stateOf(cluster: Cluster): Promise<unknown> {
  const pod = await cluster.find(`${pods}/p`);
  const conditions = valueAt(pod, 'status', 'conditions') ?? [];
  return (
    pod && [
      valueAt(pod, 'status', 'phase'),
      Array.isArray(conditions) ? conditions.map((one) => valueAt(one, 'reason')) : [],
    ]
  );
}

// Facts of pkg/controller/podgc/gc_controller.go: a look every 20 s, a node may be missing for 40 s.
testCases([
  [
    'a Pod of a node that does not exist stays for a while',
    async (cluster) => {
      await makePod(cluster, { nodeName: 'n' });
      await cluster.pass(50_000);
      return stateOf(cluster);
    },
    ['Pending', []],
  ],
  [
    'then it goes',
    async (cluster) => {
      await makePod(cluster, { nodeName: 'n' });
      await cluster.pass(61_000);
      return [await stateOf(cluster), cluster.writes().filter((line) => line.startsWith(collector))];
    },
    [undefined, [`${collector} PATCH ${pods}/p/status 200`, `${collector} DELETE ${pods}/p 200`]],
  ],
  [
    'marked as disrupted',
    async (cluster) => {
      await makePod(cluster, { nodeName: 'n' }, held);
      await cluster.pass(61_000);
      return stateOf(cluster);
    },
    ['Failed', ['DeletionByPodGC']],
  ],
  [
    'not if the node comes in time',
    async (cluster) => {
      await makePod(cluster, { nodeName: 'n' });
      await cluster.pass(30_000);
      await makeNode(cluster);
      await cluster.pass(100_000);
      return stateOf(cluster);
    },
    ['Pending', []],
  ],
  [
    'a node that goes takes its Pods along',
    async (cluster) => {
      await makeNode(cluster);
      await makePod(cluster, { nodeName: 'n' });
      await cluster.pass(100_000);
      const before = await stateOf(cluster);
      await cluster.send('DELETE', `${nodes}/n`);
      await cluster.pass(61_000);
      return [before, await stateOf(cluster)];
    },
    [['Pending', []], undefined],
  ],
  [
    'a deleted Pod without a node has failed',
    async (cluster) => {
      await makePod(cluster, {}, held);
      await cluster.send('DELETE', `${pods}/p`);
      await cluster.pass(21_000);
      return stateOf(cluster);
    },
    ['Failed', []],
  ],
  [
    'and one on a node that is out of service',
    async (cluster) => {
      await makeNode(cluster);
      await makePod(cluster, { nodeName: 'n' }, held);
      await cluster.send('DELETE', `${pods}/p`);
      const before = await stateOf(cluster);
      const taints = [{ key: 'node.kubernetes.io/out-of-service', effect: 'NoExecute' }];
      await cluster.send('PATCH', `${nodes}/n`, { spec: { taints } }, mergePatch);
      await cluster.pass(21_000);
      return [before, await stateOf(cluster)];
    },
    // Taint eviction looks at it before, and does not ask whether it is being deleted already.
    [
      ['Pending', []],
      ['Failed', ['DeletionByTaintManager']],
    ],
  ],
]);

async function createPod({ send }: Cluster, spec: object, metadata: object = {}): Promise<void> {
  const body = {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name: 'p', ...metadata },
    spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
  };
  await send('POST', pods, body);
}

const deletePod = async (cluster: Cluster): Promise<void> => {
  await cluster.send('DELETE', `${pods}/p`);
  await cluster.settle();
};

// Rule PATH-42: the kubelet's own DELETE, with grace 0, is what removes a bound pod.
testCases([
  [
    'a bound pod keeps its grace',
    async (cluster) => {
      await createPod(cluster, { nodeName: 'n' });
      await deletePod(cluster);
      await cluster.pass(29_000);
      return cluster.names(pods);
    },
    ['p'],
  ],
  [
    'and goes when it has run out, at the word of its node',
    async (cluster) => {
      await createPod(cluster, { nodeName: 'n' });
      await deletePod(cluster);
      await cluster.pass(31_000);
      return [await cluster.names(pods), cluster.writes().at(-1)];
    },
    [[], `system:node:n DELETE ${pods}/p 200`],
  ],
  [
    'a grace that is cut short counts',
    async (cluster) => {
      await createPod(cluster, { nodeName: 'n' });
      await deletePod(cluster);
      await cluster.send('DELETE', `${pods}/p`, { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 5 });
      await cluster.settle();
      await cluster.pass(6_000);
      return cluster.names(pods);
    },
    [],
  ],
  [
    'an unbound pod needs no kubelet',
    async (cluster) => {
      await createPod(cluster, {});
      await deletePod(cluster);
      return [await cluster.names(pods), cluster.writes().filter((line) => line.startsWith('system:node:'))];
    },
    [[], []],
  ],
  [
    'a finalizer keeps it longer',
    async (cluster) => {
      await createPod(cluster, { nodeName: 'n' }, { finalizers: ['example.com/hold'] });
      await deletePod(cluster);
      await cluster.pass(31_000);
      const during = await cluster.names(pods);
      await cluster.send('PATCH', `${pods}/p`, { metadata: { finalizers: null } }, mergePatch);
      await cluster.settle();
      const asked = cluster.writes().filter((line) => line.startsWith('system:node:'));
      return [during, await cluster.names(pods), asked.length];
    },
    [['p'], [], 1],
  ],
]);
