// npm run restarts [-- ROUNDS] [--seed N] [--etcd URL] [--forgetful]: sixteen clients write to a kadmit with --data-dir, or on an etcd, which is
// killed with SIGKILL at a random moment of each round and started again. Exit code 1 when an acknowledged write is lost or duplicated, a revision is used
// twice, or no order of the acts explains the history of a round. --forgetful plants a fault that must be found.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createSeededRandom } from '../../src/testing/stubs/seeded-random.ts';
import { createHistory } from './history.ts';
import { ask } from './https-line.mjs';
import { readArguments } from './read-arguments.mjs';
import { startKadmit } from './processes.mjs';
import { writeUntilGone } from './restart-client.mjs';
import { tailOf } from './undelivered-events.mjs';
import { followChanges } from './soak-watch.mjs';

const { values: flags, positionals } = readArguments(import.meta.url, {
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    etcd: { type: 'string' },
    forgetful: { type: 'boolean', default: false },
  },
});
const rounds = Number(positionals[0] ?? 20);
const seed = Number(flags.seed);
const clients = 16;
const random = createSeededRandom(seed);
let values = 0;

const folder = mkdtempSync(join(tmpdir(), 'kadmit-restarts-'));
const preload = fileURLToPath(new URL('acknowledge-early.mjs', import.meta.url));
const storage = flags.etcd
  ? ['--etcd-servers', flags.etcd, '--etcd-prefix', `/restarts-${seed}-${Date.now()}`]
  : ['--data-dir', join(folder, 'data')];
const start = () =>
  startKadmit({
    certDir: join(folder, 'certs'),
    flags: [...storage, '--controllers=', '--ui-port=-1'],
    nodeFlags: flags.forgetful ? ['--import', preload] : [],
  });

/** The stored objects: each name with its value and revision. */
async function stored(server) {
  const { metadata, items } = await ask(server, 'GET', '/api/v1/namespaces/default/configmaps');
  const known = new Map(
    items.map((item) => [
      item.metadata.name,
      { value: item.data.sent, revision: Number(item.metadata.resourceVersion) },
    ]),
  );
  return { known, revision: Number(metadata.resourceVersion) };
}

/** A history that begins with the stored objects, acknowledged and observed. */
function historyFrom(known) {
  const history = createHistory();
  for (const [key, { value, revision }] of [...known].toSorted(([, a], [, b]) => a.revision - b.revision)) {
    history.acknowledge({ key, act: 'create', revision, value, sentAt: -2, receivedAt: -1 });
    history.observe({ key, type: 'ADDED', revision, value });
  }
  return history;
}

/** One life of a server: its acknowledged acts, its events, and the writes without a response. */
async function live(server) {
  const { known: before, revision } = await stored(server);
  const history = historyFrom(before);
  const [acts, events] = [[], []];
  const recorded = {
    ...history,
    acknowledge: (act) => (acts.push(act), history.acknowledge(act)),
    observe: (event) => (events.push(event), history.observe(event)),
  };
  const changes = await followChanges(server, recorded, String(revision));
  const known = new Map(before);
  const ends = Array.from({ length: clients }, (_none, id) =>
    writeUntilGone({ server, id, history: recorded, known, random, nextValue: () => `v${(values += 1)}` }),
  );
  const lifetime = 10 + random() * 400;
  while (acts.length < lifetime) await sleep(1 + random() * 10);
  const gone = once(server.child, 'exit');
  server.child.kill('SIGKILL');
  const open = await Promise.all(ends);
  await gone;
  changes.close();
  return { before, revision, history, acts, events, open };
}

const usedBy = new Map();
/** No revision is used twice, in any life. */
function findReusedRevisions(named) {
  return named.flatMap(({ key, revision, value }) => {
    const now = `${key} ${value}`;
    const first = usedBy.get(revision) ?? now;
    usedBy.set(revision, first);
    return first === now ? [] : [`revision ${revision} is ${now}, and was ${first}`];
  });
}

function findFaults(life, { known: after, revision }) {
  const { tail, state } = tailOf(life, after);
  for (const event of tail) life.history.observe(event);
  const remaining = [...after].map(([key, stored]) => ({ key, ...stored }));
  const named = [...life.acts.filter(({ act }) => act === 'create' || act === 'update'), ...remaining];
  const newest = Math.max(...named.map((write) => write.revision), life.revision);
  return [
    ...life.open.flatMap(({ fault }) => fault ?? []),
    ...life.history.faults(),
    ...[...state].flatMap(([name, { value }]) => (after.has(name) ? [] : [`${name}: ${value} is lost`])),
    ...remaining.flatMap(({ key, value, revision: at }) =>
      state.get(key)?.value === value && state.get(key)?.revision === at
        ? []
        : [`${key}: ${value} at ${at} is stored instead of ${state.get(key)?.value ?? 'nothing'}`],
    ),
    ...findReusedRevisions(named),
    ...(revision < newest ? [`revision ${revision} after a restart, and ${newest} before`] : []),
  ];
}

const faults = [];
try {
  let server = await start();
  for (let round = 1; round <= rounds && faults.length === 0; round += 1) {
    const life = await live(server);
    server = await start();
    const ofRound = findFaults(life, await stored(server));
    const openWrites = life.open.filter(({ act }) => act !== 'read').length;
    console.log(
      `round ${round}: ${life.acts.length} acts acknowledged, ${openWrites} writes open, ${ofRound.length} faults`,
    );
    faults.push(...ofRound);
  }
  await server.stop();
} catch (error) {
  faults.push(String(error));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const fault of faults.slice(0, 20)) console.log(fault);
console.log(
  faults.length === 0 ? `seed ${seed}: nothing lost, duplicated or reordered` : `seed ${seed}: ${faults.length} faults`,
);
process.exitCode = faults.length === 0 ? 0 : 1;
