// node warm-world-client.mjs DIST: the processor time of creates in a world of that build, in microseconds, as JSON.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { configMap, pod } from './objects.mjs';

const { createWorld } = await import(pathToFileURL(resolve(process.argv[2], 'library.js')).href);

async function measure(make, warm, count) {
  const world = await createWorld({ authorizationMode: 'RBAC' });
  let made = 0;
  for (; made < warm; made += 1) await world.client.create(make(`o-${made}`));
  const before = process.cpuUsage();
  for (; made < warm + count; made += 1) await world.client.create(make(`o-${made}`));
  const { user, system } = process.cpuUsage(before);
  await world.close();
  return (user + system) / count;
}

const figures = {
  'create of a ConfigMap in a world, µs': await measure(configMap, 3000, 6000),
  'create of a Pod in a world, µs': await measure(pod, 1500, 2500),
};
process.stdout.write(JSON.stringify(figures));
