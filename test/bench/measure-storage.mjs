import { closeSync, fdatasyncSync, mkdtempSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { hasEtcd, startEtcd } from '../harness/etcd-process.ts';
import { processorTime, runClient, startKadmit } from './processes.mjs';
import { median } from './table.mjs';

const seconds = 3;
const rounds = 3;
const connections = [1, 16];

/** Creates per second in memory, in a data directory and in etcd, next to what the disk and etcd take alone. All run throughout and are asked in turns. */
export async function measureStorage(folder) {
  const etcd = hasEtcd ? await startEtcd({ synced: true }) : undefined;
  const place = () => ({ certDir: mkdtempSync(join(folder, 'storage-')) });
  const data = place();
  const kadmits = {
    memory: await startKadmit(place()),
    'data-dir': await startKadmit({ ...data, flags: ['--data-dir', join(data.certDir, 'data')] }),
    ...(etcd ? { etcd: await startKadmit({ ...place(), flags: ['--etcd-servers', etcd.url] }) } : {}),
  };
  const creates = async (kadmit, count, prefix, time = seconds) => {
    const { port, ca, cert, key } = kadmit;
    const before = processorTime(kadmit);
    const { perSecond, created } = await runClient('./load-client.mjs', {
      server: { port, ca, cert, key },
      connections: count,
      seconds: time,
      prefix,
    });
    return { perSecond, ms: (processorTime(kadmit) - before) / created };
  };
  const asked = {
    disk: async () => ({ perSecond: syncsPerSecond(folder) }),
    ...(etcd ? { puts: (count) => runClient('./put-client.mjs', { url: etcd.url, connections: count, seconds }) } : {}),
    ...Object.fromEntries(
      Object.entries(kadmits).map(([name, kadmit]) => [
        name,
        (count, round) => creates(kadmit, count, `c${count}-${round}`),
      ]),
    ),
  };
  for (const kadmit of Object.values(kadmits)) await creates(kadmit, 16, 'warm', 4);
  const figures = new Map();
  for (let round = 0; round < rounds; round += 1) {
    for (const count of connections) {
      for (const [name, ask] of Object.entries(asked)) {
        const at = `${name} ${count}`;
        figures.set(at, [...(figures.get(at) ?? []), await ask(count, round)]);
      }
    }
  }
  await Promise.all([...Object.values(kadmits).map((kadmit) => kadmit.stop()), etcd?.close()]);
  return rowsOf(figures);
}

function rowsOf(figures) {
  const rate = (at) => median(figures.get(at).map(({ perSecond }) => perSecond));
  const told = (at) => {
    const ms = figures.get(at).map((figure) => figure.ms);
    const cost = ms[0] === undefined ? '' : `, ${median(ms).toFixed(2)} ms of processor each`;
    return `${rate(at).toFixed(0)} /s${cost}`;
  };
  const ratio = (what, one, other, goal) => {
    const [ones, others] = [figures.get(one), figures.get(other)];
    const figure = median(ones.map(({ perSecond }, round) => perSecond / others[round].perSecond));
    return { what, figure: figure.toFixed(2), goal: `>= ${goal}`, met: figure >= goal };
  };
  return connections.flatMap((count) => [
    { what: `creates in memory, ${count} connections`, figure: told(`memory ${count}`) },
    { what: 'with --data-dir', figure: told(`data-dir ${count}`) },
    { what: 'syncs of the disk, one after the other', figure: told(`disk ${count}`) },
    ratio('creates to syncs', `data-dir ${count}`, `disk ${count}`, 0.5),
    ...(figures.has('etcd 1')
      ? [
          { what: 'with --etcd-servers', figure: told(`etcd ${count}`) },
          { what: 'puts to that etcd alone', figure: told(`puts ${count}`) },
          ratio('creates to puts', `etcd ${count}`, `puts ${count}`, 0.7),
        ]
      : []),
  ]);
}

/** How often a kilobyte more can be on the disk in a second. */
function syncsPerSecond(folder) {
  const file = openSync(join(folder, 'synced'), 'w');
  const bytes = Buffer.alloc(1024, 'x');
  const until = performance.now() + seconds * 1000;
  let count = 0;
  for (; performance.now() < until; count += 1) {
    writeSync(file, bytes);
    fdatasyncSync(file);
  }
  closeSync(file);
  return count / seconds;
}
