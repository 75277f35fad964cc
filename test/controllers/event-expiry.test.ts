import { tell } from './stories.ts';

const events = '/api/v1/namespaces/default/events';
const event = (name: string) => ({
  kind: 'Event',
  apiVersion: 'v1',
  metadata: { name, namespace: 'default' },
  involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' },
});

// kube-apiserver: --event-ttl is an hour unless said, and each write begins it anew.
tell([
  [
    'an Event is there for an hour and then gone',
    async (cluster) => {
      await cluster.send('POST', events, event('a'));
      await cluster.pass(3_599_000);
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
      await cluster.pass(1_800_000);
      await cluster.send('PATCH', `${events}/a`, { message: 'again' }, 'application/merge-patch+json');
      await cluster.pass(1_801_000);
      const before = await cluster.names(events);
      await cluster.pass(1_800_000);
      return [before, await cluster.names(events)];
    },
    [['a'], []],
  ],
]);
