// npm run shared [-- ROUNDS] [--seed N] [--planted lost-event|hopeful|unguarded]: sixteen clients write to the same objects through two
// kadmits on one etcd. In each round a kadmit is killed with SIGKILL, connections are cut, and etcd is stopped, paused or killed.
// Exit code 1 when responses or watches contradict the history of etcd. --planted plants a fault in kadmit, which must be found.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startEtcd } from '../harness/etcd-process.ts';
import { startRelay } from '../harness/relay.ts';
import { createSeededRandom } from '../../src/testing/stubs/seeded-random.ts';
import { ask } from './https-line.mjs';
import { readArguments } from './read-arguments.mjs';
import { startKadmit } from './processes.mjs';
import { writeTogether } from './shared-client.mjs';
import { sharedFaults } from './shared-history.ts';
import { stateAfter, readTruth } from './read-etcd-history.mjs';
import { followServer, listed } from './shared-watch.mjs';

const { values: flags, positionals } = readArguments(import.meta.url, {
  allowPositionals: true,
  options: { seed: { type: 'string', default: String(Date.now() % 2 ** 31) }, planted: { type: 'string' } },
});
const rounds = Number(positionals[0] ?? 20);
const seed = Number(flags.seed);
const random = createSeededRandom(seed);
const prefix = '/shared';
const clients = 16;
/** How long a watch may take to deliver the last event. */
const patienceMs = 60_000;
let values = 0;

const folder = mkdtempSync(join(tmpdir(), 'kadmit-shared-'));
if (flags.planted) process.env['PLANTED'] = flags.planted;
const nodeFlags = flags.planted ? ['--import', fileURLToPath(new URL('faulty-etcd-client.mjs', import.meta.url))] : [];
const etcd = await startEtcd();
const toEtcd = await startRelay(() => new URL(etcd.url));
const etcdUrl = toEtcd.url.replace('https:', 'http:');
const start = (name) =>
  startKadmit({
    certDir: join(folder, 'certs'),
    kubeconfig: join(folder, name),
    flags: ['--etcd-servers', etcdUrl, '--etcd-prefix', prefix, '--controllers=', '--ui-port=-1'],
    nodeFlags,
  });

/** A kadmit that clients reach at one address, however often it is killed. */
async function openReplica(name) {
  let running = await start(name);
  const relay = await startRelay(() => new URL(`https://127.0.0.1:${running.port}`));
  const { ca, cert, key } = running;
  return {
    server: { port: Number(new URL(relay.url).port), ca, cert, key },
    cut: relay.drop,
    kill: async () => {
      const gone = once(running.child, 'exit');
      running.child.kill('SIGKILL');
      await gone;
      running = await start(name);
    },
    close: async () => {
      relay.close();
      await running.stop();
    },
  };
}

const replicas = [await openReplica('one'), await openReplica('two')];
const servers = replicas.map(({ server }) => server);
const pick = (list) => list[Math.floor(random() * list.length)];
const troubles = {
  'clients cut off': async () => pick(replicas).cut(),
  'etcd cut off': async () => toEtcd.drop(),
  'etcd stopped': async () => (await etcd.stop(), await sleep(random() * 1500), await etcd.start()),
  'etcd paused': async () => (etcd.pause(), await sleep(200 + random() * 4000), etcd.resume()),
  'etcd killed': async () => (await etcd.kill(), await sleep(random() * 1500), await etcd.start()),
};

/** Waits for `count` acts, at most half a minute. */
async function untilActs(acts, count) {
  const until = performance.now() + 30_000;
  const target = acts.length + count;
  while (acts.length < target && performance.now() < until) await sleep(1 + random() * 10);
}

async function playRound(watches, known) {
  const acts = [];
  let isOver = false;
  const writing = Array.from({ length: clients }, () =>
    writeTogether({
      servers,
      isOver: () => isOver,
      known,
      random,
      nextValue: () => `v${(values += 1)}`,
      onAct: (act) => acts.push(act),
    }),
  );
  const names = [pick(Object.keys(troubles)), pick(Object.keys(troubles)), 'kadmit killed'].toSorted(
    () => random() - 0.5,
  );
  for (const name of names) {
    await untilActs(acts, 20 + random() * 200);
    await (troubles[name] ?? pick(replicas).kill)();
  }
  await untilActs(acts, 100);
  isOver = true;
  await Promise.all(writing);
  const last = await lastWrite();
  acts.push(last);
  const until = performance.now() + patienceMs;
  while (watches.some((watch) => watch.reached() < last.revision) && performance.now() < until) await sleep(20);
  return { acts, names, last };
}

/** A write that every watch must deliver. */
async function lastWrite() {
  for (;;) {
    const value = `v${(values += 1)}`;
    const key = `last-${value}`;
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: key }, data: { sent: value } };
    const sentAt = performance.now();
    try {
      const created = await ask(servers[0], 'POST', '/api/v1/namespaces/default/configmaps', object);
      const revision = Number(created.metadata.resourceVersion);
      return { key, act: 'create', value, revision, outcome: 'done', sentAt, receivedAt: performance.now() };
    } catch {
      await sleep(200);
    }
  }
}

const countsText = ({ acts, done, refused, open }) => `${acts} acts (${done} done, ${refused} refused, ${open} open)`;

const faults = [];
const totals = { acts: 0, done: 0, refused: 0, open: 0, events: 0 };
let { since, listed: before } = await listed(servers[0]);
const known = new Map();
const watches = servers.map((server, index) => followServer(`watch of kadmit ${index + 1}`, server));
try {
  for (let round = 1; round <= rounds && faults.length === 0; round += 1) {
    const begun = watches.map(({ parts }) => [parts.length - 1, parts.at(-1)?.events.length ?? 0]);
    const { acts, names, last } = await playRound(watches, known);
    const truth = await readTruth({ url: etcd.url, prefix, before, since, upTo: last.revision });
    const watched = watches.flatMap(({ parts }, index) => partsOfRound(parts, begun[index], since, last.revision));
    faults.push(...sharedFaults(truth, acts, watched));
    const count = (outcome) => acts.filter((act) => act.outcome === outcome).length;
    const figures = { acts: acts.length, done: count('done'), refused: count('refused'), open: count('open') };
    for (const [name, figure] of Object.entries({ ...figures, events: truth.events.length })) totals[name] += figure;
    console.log(
      `round ${round}: ${names.join(', ')}; ${countsText(figures)}, ${truth.events.length} revisions, ${faults.length} faults`,
    );
    before = stateAfter(truth);
    since = last.revision;
  }
} catch (error) {
  faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
}

/** The events of a watch in this round, and up to which revision each part must reach. */
function partsOfRound(parts, [first, known], from, upTo) {
  return parts.slice(Math.max(first, 0)).map((part, index, all) => ({
    ...(index === 0 && first >= 0
      ? { name: part.name, since: Math.max(part.since, from), events: part.events.slice(known) }
      : part),
    ...(index === all.length - 1 ? { upTo } : {}),
  }));
}

for (const fault of faults.slice(0, 20)) console.log(fault);
console.log(
  `seed ${seed}: ${countsText(totals)}, ${totals.events} revisions: ${faults.length === 0 ? 'nothing lost, duplicated or reordered' : `${faults.length} faults`}`,
);
process.exitCode = faults.length === 0 ? 0 : 1;
await Promise.all(watches.map((watch) => watch.close()));
await Promise.all(replicas.map((replica) => replica.close()));
toEtcd.close();
await etcd.close();
rmSync(folder, { recursive: true, force: true });
