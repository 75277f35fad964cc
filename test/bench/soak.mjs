// npm run soak [-- SECONDS] [--writes N] [--seed N]: a hundred clients against ten webhooks of which three misbehave. Exit code 1 when a write
// was lost or doubled, the history has no order that explains it, something was left open, memory grew, or the server would not end.
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
import { startKadmit, startServer } from './processes.mjs';
import { createCounters, isRight, runClient } from './soak-client.mjs';
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
const mostWrites = Number(flags.writes);
const clients = 100;
const mebibyte = 1024 * 1024;
// The server keeps traces of so many writes; until they are there memory grows as it should.
const keptTraces = 2_000;
const patienceMs = 300_000;

async function soak(certDir) {
  await (await startKadmit({ certDir })).stop();
  const preload = fileURLToPath(new URL('diagnose.mjs', import.meta.url));
  const kadmit = await startKadmit({ certDir, nodeFlags: ['--expose-gc', '--import', preload], ipc: true });
  const webhooks = await startServer('./soak-webhooks.mjs', certDir);
  try {
    for (const { path, object } of soakConfigurations(webhooks)) await ask(kadmit, 'POST', path, object);
    const ledger = newLedger();
    const changes = await followChanges(kadmit, ledger.history);
    await createCounters(kadmit, ledger);
    // The first half fills what is kept on purpose: traces, changes, idle connections.
    await load(kadmit, ledger, { firstId: 0, leastWrites: keptTraces });
    const isFilled = writesIn(ledger) >= keptTraces;
    const before = await diagnosis(kadmit, webhooks);
    await load(kadmit, ledger, { firstId: clients, leastWrites: 0 });
    const after = await diagnosis(kadmit, webhooks);
    const stored = await ask(kadmit, 'GET', '/api/v1/namespaces/default/configmaps');
    changes.close();
    const faults = [
      ...faultsIn(ledger, stored.items, changes),
      ...leaks(before, after),
      ...growth(before, after, isFilled),
    ];
    const ready = await ask(kadmit, 'GET', '/readyz').catch(String);
    if (ready !== 'ok') faults.push(`/readyz says ${ready} after all that`);
    return { faults: [...faults, ...(await ending(kadmit))], ledger, before, after };
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

const writesIn = ({ answers, deleted, counts }) =>
  answers + deleted.size + [...counts.values()].reduce((sum, count) => sum + count, 0);

/** For half of the time, and until there are so many writes, unless that takes too long. */
async function load(server, ledger, { firstId, leastWrites }) {
  const end = performance.now() + (seconds * 1000) / 2;
  const isOver = () =>
    performance.now() >= end && (writesIn(ledger) >= leastWrites || performance.now() >= end + patienceMs);
  const until = () => isOver() || ledger.history.writes() >= mostWrites;
  const ids = Array.from({ length: clients }, (_none, index) => firstId + index);
  await Promise.all(ids.map((id) => runClient({ server, id, until, ledger, random: createSeededRandom(seed + id) })));
}

/** Once everything under way has come to its end. */
async function diagnosis({ child }, webhooks) {
  await sleep(3000);
  child.send({ webhookPort: webhooks.port });
  const [report] = await once(child, 'message');
  return report;
}

function faultsIn(ledger, items, changes) {
  const { created, refused, unknown, deleted, counts, faults } = ledger;
  const found = new Map(items.map((item) => [item.metadata.name, item]));
  const mustBe = [...created].filter((name) => !deleted.has(name));
  return [
    ...faults,
    ...ledger.history.faults(),
    ...mustBe.filter((name) => !found.has(name)).map((name) => `${name} was acknowledged and is lost`),
    ...mustBe.filter((name) => found.has(name) && !isRight(found.get(name))).map((name) => `${name} is not as sent`),
    ...[...refused, ...deleted].filter((name) => found.has(name)).map((name) => `${name} should not be there`),
    ...[...created]
      .filter((name) => changes.added(name) !== 1)
      .map((name) => `${name} was added ${changes.added(name)} times`),
    ...[...unknown].filter((name) => changes.added(name) > 1).map((name) => `${name} was added more than once`),
    ...[...refused].filter((name) => changes.added(name) > 0).map((name) => `${name} was refused and added`),
    ...[...counts]
      .filter(([name, count]) => Number(found.get(name)?.data.count) !== count)
      .map(([name, count]) => `${name} is ${found.get(name)?.data.count} after ${count} writes`),
  ];
}

function leaks(before, after) {
  return [
    after.descriptors > before.descriptors + 2 ? `${after.descriptors - before.descriptors} descriptors left open` : '',
    after.timers > before.timers + 2 ? `${after.timers - before.timers} timers left running` : '',
  ].filter((fault) => fault !== '');
}

function growth(before, after, isFilled) {
  const grown = (after.heapUsed - before.heapUsed) / mebibyte;
  if (!isFilled) return [`memory could not be judged: fewer than ${keptTraces} writes in the first half`];
  return grown > 0.1 * (before.heapUsed / mebibyte) + 16 ? [`memory grew by ${grown.toFixed(0)} MiB`] : [];
}

async function ending({ child }) {
  const askedAt = performance.now();
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  const [code] = await Promise.race([ended, sleep(5000, ['none'])]);
  const took = performance.now() - askedAt;
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
  console.log(faults.length === 0 ? 'nothing lost, nothing doubled, nothing left open' : `${faults.length} violations`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}
