import { expect, test } from 'vitest';
import { type Cluster, startCluster } from './cluster.ts';

const events = '/api/v1/namespaces/default/events';
const event = (name: string) => ({
  kind: 'Event',
  apiVersion: 'v1',
  metadata: { name, namespace: 'default' },
  involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' },
});

const hour = 3_600_000;

// kube-apiserver: --event-ttl, and each write begins it anew.
test.each<[fact: string, act: (cluster: Cluster) => Promise<unknown>, seen: unknown]>([
  [
    'an Event is there for an hour and then gone',
    async (cluster) => {
      await cluster.send('POST', events, event('a'));
      await cluster.pass(hour - 1000);
      const before = await cluster.names(events);
      await cluster.pass(2000);
      return [before, await cluster.names(events)];
    },
    [['a'], []],
  ],
  [
    'one that is written again lives an hour from then',
    async (cluster) => {
      await cluster.send('POST', events, event('a'));
      await cluster.send('POST', events, event('b'));
      await cluster.pass(hour / 2);
      await cluster.send('PATCH', `${events}/a`, { message: 'again' }, 'application/merge-patch+json');
      await cluster.pass(hour / 2 + 1000);
      const before = await cluster.names(events);
      await cluster.pass(hour / 2);
      return [before, await cluster.names(events)];
    },
    [['a'], []],
  ],
])('%s', async (_fact, act, seen) => {
  const cluster = await startCluster(['*'], undefined, [], { ttl: hour, isPunctual: true });
  await cluster.settle();
  expect(await act(cluster)).toEqual(seen);
  expect(cluster.bugs).toEqual([]);
  await cluster.close();
});

test('where time leaps they go with the next Event', async () => {
  const cluster = await startCluster(['*']);
  await cluster.settle();
  await cluster.send('POST', events, event('a'));
  await cluster.pass(2 * hour);
  const before = await cluster.names(events);
  await cluster.send('POST', events, event('b'));
  await cluster.settle();
  expect([before, await cluster.names(events)]).toEqual([['a'], ['b']]);
  await cluster.close();
});
