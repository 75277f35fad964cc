// npm run soak:controllers [-- SECONDS] [--seed N]: rollouts that overtake each other, in virtual time, with every controller at work. Exit code 1
// when a Pod was lost or duplicated, something did not settle, or memory grew.
import { parseArgs } from 'node:util';
import { createWorld } from '../../dist/library.js';
import { createSeededRandom } from '../../src/testing/stubs/seeded-random.ts';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string', default: String(Date.now() % 2 ** 31) } },
});
const seconds = Number(positionals[0] ?? 60);
const seed = Number(flags.seed);
const random = createSeededRandom(seed);
const pick = (list) => list[Math.floor(random() * list.length)];
const below = (limit) => Math.floor(random() * limit);
const mebibyte = 1024 * 1024;
// The server keeps this many changes of each kind; until then memory grows as it should.
const maxChanges = 12_000;

const names = Array.from({ length: 8 }, (_none, index) => `web-${index}`);
const faults = [];

const deployment = (name) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: 'default' },
  spec: {
    replicas: below(8),
    selector: { matchLabels: { app: name } },
    strategy: pick([
      { type: 'Recreate' },
      { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 + below(3), maxUnavailable: below(3) } },
    ]),
    template: {
      metadata: { labels: { app: name } },
      spec: { terminationGracePeriodSeconds: pick([0, 1, 30]), containers: [{ name: 'c', image: `i:${below(4)}` }] },
    },
  },
});

/** One action of a user on a Deployment or a Pod; refusals are ignored. */
async function act(client) {
  const name = pick(names);
  const key = { name, namespace: 'default' };
  const patch = (body) => client.patch('deployments', key, body);
  const acts = [
    () => client.create(deployment(name)),
    () => patch({ spec: { replicas: below(8) } }),
    () => patch({ spec: { template: { spec: { containers: [{ name: 'c', image: `i:${below(4)}` }] } } } }),
    () => patch({ spec: { paused: random() < 0.3 } }),
    () => client.delete('deployments', key),
    async () => {
      const pods = await client.list('pods', { namespace: 'default' });
      if (pods.length > 0) await client.delete('pods', { name: pick(pods).metadata.name, namespace: 'default' });
    },
  ];
  await pick(acts)().catch(() => {});
}

/** The faults of the settled state. */
async function findFaults(client, round) {
  const namespace = { namespace: 'default' };
  const [deployments, sets, pods] = await Promise.all(
    ['deployments', 'replicasets', 'pods'].map((kind) => client.list(kind, namespace)),
  );
  const ownedBy = (owner, objects) =>
    objects.filter(({ metadata }) => metadata.ownerReferences?.[0]?.uid === owner.metadata.uid);
  const wrong = [
    ...sets
      .filter((set) => ownedBy(set, pods).length !== set.spec.replicas)
      .map((set) => `${set.metadata.name} has ${ownedBy(set, pods).length} Pods of ${set.spec.replicas}`),
    ...deployments
      .filter(({ spec, status }) => !spec.paused && (status.readyReplicas ?? 0) !== spec.replicas)
      .map(
        ({ metadata, spec, status }) => `${metadata.name} has ${status.readyReplicas ?? 0} ready of ${spec.replicas}`,
      ),
    ...sets
      .filter((set) => !deployments.some((owner) => ownedBy(owner, [set]).length > 0))
      .map(({ metadata }) => `${metadata.name} is an orphan`),
    ...pods
      .filter((pod) => !sets.some((set) => ownedBy(set, [pod]).length > 0))
      .map(({ metadata }) => `${metadata.name} is an orphan`),
    ...pods
      .filter(({ metadata }) => metadata.deletionTimestamp !== undefined)
      .map(({ metadata }) => `${metadata.name} is still terminating`),
  ];
  return wrong.map((fault) => `round ${round}: ${fault}`);
}

async function runRounds(world, until, first) {
  let round = first;
  for (; performance.now() < until && faults.length === 0; round += 1) {
    for (let count = 1 + below(12); count > 0; count -= 1) {
      await act(world.client);
      if (random() < 0.6) await world.advance(below(3000));
    }
    await world.settle();
    // Delayed actions, such as the end of a grace period, happen too.
    await world.advance(60_000);
    await world.settle();
    faults.push(...(await findFaults(world.client, round)));
    world.traces.clear();
  }
  return round;
}

function heap() {
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed / mebibyte;
}

const world = await createWorld({ nodes: 3, seed });
const start = performance.now();
const half = await runRounds(world, start + seconds * 500, 0);
const { body: list } = await world.client.request({ method: 'GET', path: '/api/v1/namespaces' });
const isFilled = Number(list.metadata.resourceVersion) >= maxChanges;
const before = heap();
const rounds = await runRounds(world, start + seconds * 1000, half);
const after = heap();
if (!isFilled) console.log(`memory is not measured: fewer than ${maxChanges} changes in the first half`);
else if (after > before * 1.1 + 8) faults.push(`memory grew from ${before.toFixed(0)} to ${after.toFixed(0)} MiB`);
for (const name of names) await world.client.delete('deployments', { name }).catch(() => {});
await world.advance(60_000);
await world.settle();
for (const kind of ['replicasets', 'pods']) {
  const remaining = await world.client.list(kind, { namespace: 'default' });
  if (remaining.length > 0) faults.push(`${remaining.length} ${kind} remain at the end`);
}
await world.close();
console.log(`seed ${seed}: ${rounds} rounds; ${before.toFixed(0)} MiB half-way, ${after.toFixed(0)} MiB at the end`);
for (const fault of faults) console.log(`FAULT ${fault}`);
process.exitCode = faults.length > 0 ? 1 : 0;
