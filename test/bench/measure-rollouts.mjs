import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const replicas = 500;

/** A Deployment in a world until its status says that all is done: its Pods are there, or available on nodes. */
export async function measureRollouts() {
  const { createWorld } = await import(pathToFileURL(resolve('dist/library.js')).href);
  const there = await millisecondsOf(createWorld, 0, (status) => status.replicas);
  const available = await millisecondsOf(createWorld, 3, (status) => status.availableReplicas);
  return [
    {
      what: `${replicas} replicas that are there, in a world`,
      figure: `${there.toFixed(0)} ms`,
      goal: '< 300 ms',
      met: there < 300,
    },
    { what: `${replicas} replicas that are available on three nodes`, figure: `${available.toFixed(0)} ms` },
  ];
}

/** Of a second one, when everything is loaded. */
async function millisecondsOf(createWorld, nodes, countIn) {
  const world = await createWorld({ nodes });
  await world.client.create(deployment('first', 20));
  await world.settle();
  const start = performance.now();
  await world.client.create(deployment('second', replicas));
  await world.settle();
  const took = performance.now() - start;
  const { status } = await world.client.get('deployments', { name: 'second' });
  await world.close();
  if (countIn(status) !== replicas) throw new Error(`there are ${countIn(status)} of ${replicas} replicas`);
  return took;
}

const deployment = (name, count) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas: count,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
});
