// node world-client.mjs DIST: the processor time of creates in a world of that build, as JSON on standard output.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { configMap, pod } from './objects.mjs';
import { median } from './table.mjs';

const { createWorld } = await import(pathToFileURL(resolve(process.argv[2], 'library.js')).href);
const [rounds, creates] = [7, 60];

/** Microseconds of this process that one turn costs, collecting garbage included. */
async function costOf(turns, act) {
  const before = process.cpuUsage();
  for (let turn = 0; turn < turns; turn += 1) await act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / turns;
}

/** Creates of `make`, and beside them one reading and one writing of what is stored. */
async function measure(make, validating = 0) {
  const world = await createWorld({ authorizationMode: 'RBAC' });
  for (let index = 0; index < validating; index += 1) {
    const rules = [{ operations: ['CREATE'], resources: ['configmaps', 'pods'] }];
    await world.webhook(`w${index}.example.com`, { type: 'validating', rules }, () => undefined);
  }
  let made = 0;
  const create = () => world.client.create(make(`o-${made++}`));
  const text = JSON.stringify(await create());
  const readAndWrite = () => JSON.stringify(JSON.parse(text));
  const first = await costOf(4 * creates, create);
  const pairs = [];
  for (let round = 0; round < rounds; round += 1) {
    pairs.push({ create: await costOf(creates, create), json: await costOf(creates, readAndWrite) });
  }
  await world.close();
  return {
    first,
    microseconds: median(pairs.map((pair) => pair.create)),
    json: median(pairs.map((pair) => pair.json)),
    bytes: text.length,
  };
}

const figures = {
  'create of a ConfigMap in a world': await measure(configMap),
  'create of a Pod in a world': await measure(pod),
  'the same with one validating webhook': await measure(pod, 1),
  'the same with five': await measure(pod, 5),
};
process.stdout.write(JSON.stringify(figures));
