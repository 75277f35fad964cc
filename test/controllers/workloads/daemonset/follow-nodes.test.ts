import type { JsonObject } from '../../../../src/machinery/json/json.ts';
import type { Cluster } from '../../cluster.ts';
import { mergePatch, testCases } from '../../controller-cases.ts';

const pods = '/api/v1/namespaces/default/pods';

/** A DaemonSet for nodes of a pool, and a node of it; how many daemons there are. */
async function begin(cluster: Cluster): Promise<number> {
  const spec: JsonObject = { nodeSelector: { pool: 'edge' }, containers: [{ name: 'c', image: 'i' }] };
  const template = { metadata: { labels: { app: 'x' } }, spec };
  await cluster.send('POST', '/apis/apps/v1/namespaces/default/daemonsets', {
    kind: 'DaemonSet',
    apiVersion: 'apps/v1',
    metadata: { name: 'w' },
    spec: { selector: { matchLabels: { app: 'x' } }, template },
  });
  await cluster.send('POST', '/api/v1/nodes', {
    kind: 'Node',
    apiVersion: 'v1',
    metadata: { name: 'n', labels: { pool: 'edge' } },
  });
  await cluster.settle();
  return (await cluster.names(pods)).length;
}

async function leavePool(cluster: Cluster): Promise<number> {
  await cluster.send('PATCH', '/api/v1/nodes/n', { metadata: { labels: { pool: null } } }, mergePatch);
  await cluster.settle();
  return (await cluster.names(pods)).length;
}

// As kube-controller-manager v1.36.2 does.
testCases([
  [
    'a node that leaves the pool loses the daemon that is bound to it',
    async (cluster) => {
      const before = await begin(cluster);
      const [name = ''] = await cluster.names(pods);
      const target = { kind: 'Node', name: 'n' };
      const binding = { kind: 'Binding', apiVersion: 'v1', metadata: { name }, target };
      await cluster.send('POST', `${pods}/${name}/binding`, binding);
      await cluster.settle();
      const left = await leavePool(cluster);
      await cluster.pass(60_000);
      return [before, left, (await cluster.names(pods)).length];
    },
    [1, 1, 0],
  ],
  [
    'one that is not bound yet is seen the next time that the set is looked at',
    async (cluster) => {
      const before = await begin(cluster);
      const left = await leavePool(cluster);
      const path = '/apis/apps/v1/namespaces/default/daemonsets/w';
      await cluster.send('PATCH', path, { metadata: { labels: { a: 'b' } } }, mergePatch);
      await cluster.settle();
      return [before, left, (await cluster.names(pods)).length];
    },
    [1, 1, 0],
  ],
]);
