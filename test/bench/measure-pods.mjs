import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from './https-line.mjs';
import { residentMemory, runClient, startKadmit } from './processes.mjs';
import { median } from './table.mjs';

const connections = 16;
const warm = 1500;
const rounds = 5;
const seconds = 3;
/** As many as traces are kept. */
const traced = 2_000;
const many = 100_000;

/** How evenly Pods are created by sixteen clients, and what a server holds that has many of them and as many traces as it keeps. */
export async function measurePods(certDir) {
  const kadmit = await startKadmit({ certDir, flags: ['--ui-port', '-1'], nodeFlags: ['--max-old-space-size=8192'] });
  const { port, ca, cert, key } = kadmit;
  const load = (settings) =>
    runClient('./load-client.mjs', { server: { port, ca, cert, key }, connections, kind: 'pods', ...settings });
  await load({ count: warm, prefix: 'warm' });
  const turns = [];
  for (let round = 0; round < rounds; round += 1) turns.push(await load({ seconds, prefix: `turn-${round}` }));
  const of = (what) => median(turns.map(what));
  const evenness = of(({ p50, p99 }) => p99 / p50);
  const made = warm + turns.reduce((sum, { created }) => sum + created, 0);
  if (made < traced) await load({ count: traced - made, prefix: 'traced' });
  const full = await restingMemory(kadmit);
  const present = Math.max(made, traced);
  await load({ count: Math.max(0, many - present), prefix: 'many' });
  const all = await restingMemory(kadmit);
  const bytes = JSON.stringify(await ask(kadmit, 'GET', '/api/v1/namespaces/default/pods/warm-1')).length;
  await kadmit.stop();
  const each = ((all - full) * 2 ** 20) / Math.max(1, many - present) / bytes;
  return [
    { what: `Pods, ${connections} connections, p50`, figure: `${of(({ p50 }) => p50).toFixed(1)} ms` },
    { what: 'p99', figure: `${of(({ p99 }) => p99).toFixed(1)} ms` },
    { what: 'p99 to p50', figure: evenness.toFixed(1), goal: '<= 3', met: evenness <= 3 },
    {
      what: `memory with ${present.toLocaleString('en')} Pods of ${bytes} bytes, all traces kept`,
      figure: mebibytes(full),
    },
    { what: `memory with ${many.toLocaleString('en')}`, figure: mebibytes(all) },
    { what: 'memory of one more, to its JSON', figure: each.toFixed(2), goal: '<= 2', met: each <= 2 },
  ];
}

async function restingMemory(kadmit) {
  await sleep(3000);
  return residentMemory(kadmit);
}

const mebibytes = (figure) => `${figure.toFixed(0)} MiB`;
