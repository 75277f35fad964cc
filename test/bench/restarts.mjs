// npm run restarts [-- ROUNDS] [--seed N] [--etcd URL] [--forgetful]: sixteen clients write to a kadmit with --data-dir, or on an etcd, which is
// killed with SIGKILL at a random moment of each round and started again. Exit code 1 when an acknowledged write is lost or doubled, a revision is given
// twice, or the history of a round has no order that explains it. --forgetful plants a fault that has to be found.
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
import { tailOf } from './restart-tail.mjs';
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
const preload = fileURLToPath(new URL('forgetful.mjs', import.meta.url));
const storage = flags.etcd
  ? ['--etcd-servers', flags.etcd, '--etcd-prefix', `/restarts-${seed}-${Date.now()}`]
  : ['--data-dir', join(folder, 'data')];
const start = () =>
  startKadmit({
    certDir: join(folder, 'certs'),
    flags: [...storage, '--controllers=', '--ui-port=-1'],
    nodeFlags: flags.forgetful ? ['--import', preload] : [],
  });

/** What lies there: each name with its value and revision. */
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

/** A history that begins with what is there, told and seen. */
function historyFrom(known) {
  const history = createHistory();
  for (const [key, { value, revision }] of [...known].toSorted(([, a], [, b]) => a.revision - b.revision)) {
    history.acknowledge({ key, act: 'create', revision, value, askedAt: -2, heardAt: -1 });
    history.observe({ key, type: 'ADDED', revision, value });
  }
  return history;
}

/** One life of a server; what was told of it, what was seen, and what nobody can know. */
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

const givenTo = new Map();
/** No revision is given twice, in any life. */
function givenTwice(named) {
  return named.flatMap(({ key, revision, value }) => {
    const now = `${key} ${value}`;
    const first = givenTo.get(revision) ?? now;
    givenTo.set(revision, first);
    return first === now ? [] : [`revision ${revision} is ${now}, and was ${first}`];
  });
}

function judge(life, { known: after, revision }) {
  const { tail, state } = tailOf(life, after);
  for (const event of tail) life.history.observe(event);
  const kept = [...after].map(([key, one]) => ({ key, ...one }));
  const named = [...life.acts.filter(({ act }) => act === 'create' || act === 'update'), ...kept];
  const newest = Math.max(...named.map((one) => one.revision), life.revision);
  return [
    ...life.open.flatMap(({ fault }) => fault ?? []),
    ...life.history.faults(),
    ...[...state].flatMap(([name, { value }]) => (after.has(name) ? [] : [`${name}: ${value} is lost`])),
    ...kept.flatMap(({ key, value, revision: at }) =>
      state.get(key)?.value === value && state.get(key)?.revision === at
        ? []
        : [`${key}: ${value} at ${at} is there instead of ${state.get(key)?.value ?? 'nothing'}`],
    ),
    ...givenTwice(named),
    ...(revision < newest ? [`revision ${revision} after a restart, and ${newest} before`] : []),
  ];
}

const faults = [];
try {
  let server = await start();
  for (let round = 1; round <= rounds && faults.length === 0; round += 1) {
    const life = await live(server);
    server = await start();
    const found = judge(life, await stored(server));
    const openWrites = life.open.filter(({ act }) => act !== 'read').length;
    console.log(
      `round ${round}: ${life.acts.length} acts acknowledged, ${openWrites} writes open, ${found.length} faults`,
    );
    faults.push(...found);
  }
  await server.stop();
} catch (error) {
  faults.push(String(error));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const fault of faults.slice(0, 20)) console.log(fault);
console.log(
  faults.length === 0 ? `seed ${seed}: nothing lost, doubled or reordered` : `seed ${seed}: ${faults.length} faults`,
);
process.exitCode = faults.length === 0 ? 0 : 1;
