import type { Cluster } from './cluster.ts';
import { mergePatch, tell } from './stories.ts';

const pods = '/api/v1/namespaces/default/pods';

async function makePod({ send }: Cluster, spec: object, metadata: object = {}): Promise<void> {
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
tell([
  [
    'a bound pod keeps its grace',
    async (cluster) => {
      await makePod(cluster, { nodeName: 'n' });
      await deletePod(cluster);
      await cluster.pass(29_000);
      return cluster.names(pods);
    },
    ['p'],
  ],
  [
    'and goes when it has run out, at the word of its node',
    async (cluster) => {
      await makePod(cluster, { nodeName: 'n' });
      await deletePod(cluster);
      await cluster.pass(31_000);
      return [await cluster.names(pods), cluster.writes().at(-1)];
    },
    [[], `system:node:n DELETE ${pods}/p 200`],
  ],
  [
    'a grace that is cut short counts',
    async (cluster) => {
      await makePod(cluster, { nodeName: 'n' });
      await deletePod(cluster);
      await cluster.send('DELETE', `${pods}/p`, { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 5 });
      await cluster.settle();
      await cluster.pass(6_000);
      return cluster.names(pods);
    },
    [],
  ],
  [
    'a pod without a node needs nobody',
    async (cluster) => {
      await makePod(cluster, {});
      await deletePod(cluster);
      return [await cluster.names(pods), cluster.writes().filter((line) => line.startsWith('system:node:'))];
    },
    [[], []],
  ],
  [
    'a finalizer keeps it longer',
    async (cluster) => {
      await makePod(cluster, { nodeName: 'n' }, { finalizers: ['example.com/hold'] });
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
