import { asList, type JsonObject, valueAt } from '../../src/machinery/json/json.ts';
import type { Cluster } from './cluster.ts';
import { mergePatch, testCases } from './controller-cases.ts';

const pods = '/api/v1/namespaces/default/pods';
const nodes = '/api/v1/nodes';

/** A Pod on a node that gets a taint. */
async function tainted(cluster: Cluster, effect: string, tolerations: readonly JsonObject[]): Promise<void> {
  await cluster.send('POST', nodes, { kind: 'Node', apiVersion: 'v1', metadata: { name: 'n' } });
  const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }], tolerations };
  await cluster.send('POST', pods, { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'p' }, spec });
  await cluster.settle();
  await cluster.send('PATCH', `${nodes}/n`, { spec: { taints: [{ key: 'k', value: 'v', effect }] } }, mergePatch);
  await cluster.settle();
}

/** What was said of it, oldest first. */
async function said(cluster: Cluster): Promise<unknown> {
  const all = await cluster.send('GET', '/api/v1/namespaces/default/events');
  return asList(all['items']).map((event) => valueAt(event, 'message'));
}

/** Is it on its way out, and why? */
async function stateOf(cluster: Cluster): Promise<unknown> {
  const pod = await cluster.find(`${pods}/p`);
  return [pod?.metadata?.deletionTimestamp !== undefined, valueAt(pod, 'status', 'conditions') === undefined];
}

const tolerating = (more: JsonObject): readonly JsonObject[] => [{ key: 'k', operator: 'Exists', ...more }];

// Facts of pkg/controller/tainteviction/taint_eviction.go.
testCases([
  [
    'a Pod that does not tolerate it goes at once',
    async (cluster) => {
      await tainted(cluster, 'NoExecute', []);
      const writer = 'system:serviceaccount:kube-system:node-controller';
      const own = cluster.writes().filter((line) => line.startsWith(writer) && line.includes('pods'));
      return [await stateOf(cluster), own];
    },
    [
      [true, false],
      [
        `system:serviceaccount:kube-system:node-controller PATCH ${pods}/p/status 200`,
        `system:serviceaccount:kube-system:node-controller DELETE ${pods}/p 200`,
      ],
    ],
  ],
  [
    'one that tolerates it stays',
    async (cluster) => {
      await tainted(cluster, 'NoExecute', tolerating({}));
      await cluster.pass(600_000);
      return stateOf(cluster);
    },
    [false, true],
  ],
  [
    'another effect means nothing to it',
    async (cluster) => {
      await tainted(cluster, 'NoSchedule', []);
      return stateOf(cluster);
    },
    [false, true],
  ],
  [
    'one that tolerates it for a minute stays as long',
    async (cluster) => {
      await tainted(cluster, 'NoExecute', tolerating({ effect: 'NoExecute', tolerationSeconds: 60 }));
      await cluster.pass(59_000);
      const before = await stateOf(cluster);
      await cluster.pass(2_000);
      return [before, await stateOf(cluster)];
    },
    [
      [false, true],
      [true, false],
    ],
  ],
  [
    'unless the taint goes first',
    async (cluster) => {
      await tainted(cluster, 'NoExecute', tolerating({ effect: 'NoExecute', tolerationSeconds: 60 }));
      await cluster.send('PATCH', `${nodes}/n`, { spec: { taints: null } }, mergePatch);
      await cluster.pass(100_000);
      return stateOf(cluster);
    },
    [false, true],
  ],
  [
    'of which an Event shows, without a uid',
    async (cluster) => {
      await tainted(cluster, 'NoExecute', tolerating({ effect: 'NoExecute', tolerationSeconds: 60 }));
      await cluster.send('PATCH', `${nodes}/n`, { spec: { taints: null } }, mergePatch);
      await cluster.settle();
      const all = await cluster.send('GET', '/api/v1/namespaces/default/events');
      return asList(all['items']).map((event) => [valueAt(event, 'message'), valueAt(event, 'involvedObject')]);
    },
    [['Cancelling deletion of Pod default/p', { kind: 'Pod', apiVersion: 'v1', namespace: 'default', name: 'p' }]],
  ],
  [
    'a Pod that goes before its time has its deletion cancelled',
    async (cluster) => {
      await tainted(cluster, 'NoExecute', tolerating({ effect: 'NoExecute', tolerationSeconds: 60 }));
      await cluster.send('DELETE', `${pods}/p`, { gracePeriodSeconds: 0 });
      await cluster.settle();
      return said(cluster);
    },
    ['Cancelling deletion of Pod default/p'],
  ],
  [
    'another taint that it does not tolerate cancels the time and takes it at once',
    async (cluster) => {
      await tainted(cluster, 'NoExecute', tolerating({ effect: 'NoExecute', tolerationSeconds: 60 }));
      const taints = ['k', 'l'].map((key) => ({ key, value: 'v', effect: 'NoExecute' }));
      await cluster.send('PATCH', `${nodes}/n`, { spec: { taints } }, mergePatch);
      await cluster.settle();
      return [await stateOf(cluster), await said(cluster)];
    },
    [
      [true, false],
      ['Cancelling deletion of Pod default/p', 'Marking for deletion Pod default/p'],
    ],
  ],
  [
    'a node that goes does not stop what was decided',
    async (cluster) => {
      await tainted(cluster, 'NoExecute', tolerating({ effect: 'NoExecute', tolerationSeconds: 30 }));
      await cluster.send('DELETE', `${nodes}/n`);
      await cluster.pass(31_000);
      return said(cluster);
    },
    ['Marking for deletion Pod default/p'],
  ],
]);
