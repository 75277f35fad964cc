// npm run soak [-- SECONDS] [--writes N] [--seed N]: a hundred clients against ten webhooks of which three misbehave. Exit code 1 when a write
// was lost or duplicated, no order explains the history, something was left open, memory grew, or the server did not end.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSeededRandom } from '../../src/testing/stubs/seeded-random.ts';
import { createHistory } from './history.ts';
import { ask } from './https-line.mjs';
import { readArguments } from './read-arguments.mjs';
import { readResources, reportsResources, startKadmit, startServer } from './processes.mjs';
import { createCounters, isComplete, runClient } from './soak-client.mjs';
import { soakConfigurations } from './soak-configurations.mjs';
import { followChanges } from './soak-watch.mjs';

const { values: flags, positionals } = readArguments(import.meta.url, {
  allowPositionals: true,
  options: {
    writes: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
});
const seconds = Number(positionals[0] ?? 60);
const seed = Number(flags.seed);
const maxWrites = Number(flags.writes);
const clients = 100;
const mebibyte = 1024 * 1024;
// The server keeps this many traces; until then memory grows as it should.
const maxTraces = 2_000;
const patienceMs = 300_000;

async function soak(certDir) {
  await (await startKadmit({ certDir })).stop();
  const kadmit = await startKadmit({ certDir, ...reportsResources });
  const webhooks = await startServer('./soak-webhooks.mjs', certDir);
  try {
    for (const { path, object } of soakConfigurations(webhooks)) await ask(kadmit, 'POST', path, object);
    const ledger = newLedger();
    const changes = await followChanges(kadmit, ledger.history);
    await createCounters(kadmit, ledger);
    // The first half fills the caches: traces, changes, idle connections.
    await load(kadmit, ledger, { firstId: 0, minWrites: maxTraces });
    const isFilled = countWrites(ledger) >= maxTraces;
    const before = await measureIdle(kadmit, webhooks);
    await load(kadmit, ledger, { firstId: clients, minWrites: 0 });
    const after = await measureIdle(kadmit, webhooks);
    const stored = await ask(kadmit, 'GET', '/api/v1/namespaces/default/configmaps');
    changes.close();
    const faults = [
      ...findFaults(ledger, stored.items, changes),
      ...findLeaks(before, after),
      ...findGrowth(before, after, isFilled),
    ];
    const ready = await ask(kadmit, 'GET', '/readyz').catch(String);
    if (ready !== 'ok') faults.push(`/readyz says ${ready} at the end`);
    return { faults: [...faults, ...(await stopServer(kadmit))], ledger, before, after };
  } finally {
    kadmit.child.kill('SIGKILL');
    await webhooks.stop();
  }
}

const newLedger = () => ({
  answers: 0,
  created: new Set(),
  refused: new Set(),
  unknown: new Set(),
  deleted: new Set(),
  counts: new Map(),
  faults: [],
  history: createHistory(),
});

const countWrites = ({ answers, deleted, counts }) =>
  answers + deleted.size + [...counts.values()].reduce((sum, count) => sum + count, 0);

/** For half of the time, and until there are `minWrites`, unless that takes too long. */
async function load(server, ledger, { firstId, minWrites }) {
  const end = performance.now() + (seconds * 1000) / 2;
  const isOver = () =>
    performance.now() >= end && (countWrites(ledger) >= minWrites || performance.now() >= end + patienceMs);
  const until = () => isOver() || ledger.history.writes() >= maxWrites;
  const ids = Array.from({ length: clients }, (_none, index) => firstId + index);
  await Promise.all(ids.map((id) => runClient({ server, id, until, ledger, random: createSeededRandom(seed + id) })));
}

/** Measures when no request is in progress. */
async function measureIdle(kadmit, webhooks) {
  await sleep(3000);
  return readResources(kadmit, webhooks.port);
}

function findFaults(ledger, items, changes) {
  const { created, refused, unknown, deleted, counts, faults } = ledger;
  const stored = new Map(items.map((item) => [item.metadata.name, item]));
  const expected = [...created].filter((name) => !deleted.has(name));
  return [
    ...faults,
    ...ledger.history.faults(),
    ...expected.filter((name) => !stored.has(name)).map((name) => `${name} was acknowledged and is lost`),
    ...expected
      .filter((name) => stored.has(name) && !isComplete(stored.get(name)))
      .map((name) => `${name} is not as sent`),
    ...[...refused, ...deleted].filter((name) => stored.has(name)).map((name) => `${name} should not exist`),
    ...[...created]
      .filter((name) => changes.added(name) !== 1)
      .map((name) => `${name} was added ${changes.added(name)} times`),
    ...[...unknown].filter((name) => changes.added(name) > 1).map((name) => `${name} was added more than once`),
    ...[...refused].filter((name) => changes.added(name) > 0).map((name) => `${name} was refused and added`),
    ...[...counts]
      .filter(([name, count]) => Number(stored.get(name)?.data.count) !== count)
      .map(([name, count]) => `${name} is ${stored.get(name)?.data.count} after ${count} writes`),
  ];
}

function findLeaks(before, after) {
  return [
    after.descriptors > before.descriptors + 2 ? `${after.descriptors - before.descriptors} descriptors left open` : '',
    after.timers > before.timers + 2 ? `${after.timers - before.timers} timers left running` : '',
  ].filter((fault) => fault !== '');
}

function findGrowth(before, after, isFilled) {
  const grown = (after.heapUsed - before.heapUsed) / mebibyte;
  if (!isFilled) return [`memory could not be measured: fewer than ${maxTraces} writes in the first half`];
  return grown > 0.1 * (before.heapUsed / mebibyte) + 16 ? [`memory grew by ${grown.toFixed(0)} MiB`] : [];
}

async function stopServer({ child }) {
  const sentAt = performance.now();
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  const [code] = await Promise.race([ended, sleep(5000, ['none'])]);
  const took = performance.now() - sentAt;
  return code === 0 && took < 1000 ? [] : [`ended with code ${code} after ${took.toFixed(0)} ms`];
}

const folder = mkdtempSync(join(tmpdir(), 'kadmit-soak-'));
try {
  const { faults, ledger, before, after } = await soak(folder);
  const { answers, created, refused, unknown, history } = ledger;
  console.log(`seed ${seed}: ${history.writes()} writes acknowledged`);
  console.log(`${answers} creates answered: ${created.size} stored, ${refused.size} refused; ${unknown.size} cut off`);
  for (const [when, { descriptors, timers, heapUsed, rss }] of Object.entries({
    'half-way': before,
    'at the end': after,
  })) {
    const [heap, resident] = [heapUsed, rss].map((bytes) => (bytes / mebibyte).toFixed(0));
    console.log(`${when}: ${descriptors} descriptors, ${timers} timers, ${heap} MiB in use, ${resident} MiB resident`);
  }
  for (const fault of faults.slice(0, 20)) console.log(`VIOLATED: ${fault}`);
  console.log(
    faults.length === 0 ? 'nothing lost, nothing duplicated, nothing left open' : `${faults.length} violations`,
  );
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}
