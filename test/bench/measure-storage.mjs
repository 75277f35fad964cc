import { closeSync, fdatasyncSync, mkdtempSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { hasEtcd, startEtcd } from '../harness/etcd-process.ts';
import { processorTime, runClient, startKadmit } from './processes.mjs';
import { median } from './table.mjs';

const seconds = 3;
const rounds = 3;
const connections = [1, 16];

/** Creates per second in memory, in a data directory and in etcd, compared with the disk and etcd alone. All run throughout and are measured alternately. */
export async function measureStorage(folder) {
  const etcd = hasEtcd ? await startEtcd({ synced: true }) : undefined;
  const newFolder = () => ({ certDir: mkdtempSync(join(folder, 'storage-')) });
  const data = newFolder();
  const kadmits = {
    memory: await startKadmit(newFolder()),
    'data-dir': await startKadmit({ ...data, flags: ['--data-dir', join(data.certDir, 'data')] }),
    ...(etcd ? { etcd: await startKadmit({ ...newFolder(), flags: ['--etcd-servers', etcd.url] }) } : {}),
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
  const loads = {
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
      for (const [name, load] of Object.entries(loads)) {
        const at = `${name} ${count}`;
        figures.set(at, [...(figures.get(at) ?? []), await load(count, round)]);
      }
    }
  }
  await Promise.all([...Object.values(kadmits).map((kadmit) => kadmit.stop()), etcd?.close()]);
  return createRows(figures);
}

function createRows(figures) {
  const rate = (at) => median(figures.get(at).map(({ perSecond }) => perSecond));
  const rateText = (at) => {
    const ms = figures.get(at).map((figure) => figure.ms);
    const cost = ms[0] === undefined ? '' : `, ${median(ms).toFixed(2)} ms of processor each`;
    return `${rate(at).toFixed(0)} /s${cost}`;
  };
  const ratio = (what, name, baseline, goal) => {
    const [own, base] = [figures.get(name), figures.get(baseline)];
    const figure = median(own.map(({ perSecond }, round) => perSecond / base[round].perSecond));
    return { what, figure: figure.toFixed(2), goal: `>= ${goal}`, met: figure >= goal };
  };
  return connections.flatMap((count) => [
    { what: `creates in memory, ${count} connections`, figure: rateText(`memory ${count}`) },
    { what: 'with --data-dir', figure: rateText(`data-dir ${count}`) },
    { what: 'syncs of the disk, one after the other', figure: rateText(`disk ${count}`) },
    ratio('creates to syncs', `data-dir ${count}`, `disk ${count}`, 0.5),
    ...(figures.has('etcd 1')
      ? [
          { what: 'with --etcd-servers', figure: rateText(`etcd ${count}`) },
          { what: 'puts to that etcd alone', figure: rateText(`puts ${count}`) },
          ratio('creates to puts', `etcd ${count}`, `puts ${count}`, 0.7),
        ]
      : []),
  ]);
}

/** How often one more kilobyte can be synced to the disk in a second. */
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
