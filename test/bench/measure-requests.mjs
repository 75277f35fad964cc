import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { jsonRequest, openLine } from './https-line.mjs';
import { configure, unconfigure } from './measure-webhooks.mjs';
import { processorTime, residentMemory, runClient, startKadmit, startServer } from './processes.mjs';
import { median } from './table.mjs';

const connections = 16;
const scenarios = 500;

/**
 * The requests that users wait for: processor time of the server, per request. Of several builds each round measures
 * one after the other, and the verdict is about the pairs: the ratio to the other build, within each round.
 */
export async function measureRequests(folder, builds, rounds) {
  const webhook = await startServer('./webhook-server.mjs', folder);
  const figures = builds.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, dist] of builds.entries()) {
      figures[index].push({ ...(await overHttps(folder, dist, webhook)), ...inWorlds(dist), ...testRun(folder, dist) });
    }
  }
  await webhook.stop();
  const [own, other] = figures;
  return Object.keys(own[0]).map((what) =>
    rowOf(
      what,
      own.map((one) => one[what]),
      other?.map((one) => one[what]),
    ),
  );
}

function rowOf(what, own, other) {
  if (!other) return { what, figure: shown(median(own)) };
  const ratio = median(own.map((figure, index) => figure / other[index]));
  const figure = `${shown(median(own))} (${shown(median(other))}), ${ratio.toFixed(2)} times`;
  return { what, figure, goal: '<= 1.10', met: ratio <= 1.1 };
}

const shown = (figure) => (figure < 10 ? figure.toFixed(1) : figure.toFixed(0));

async function overHttps(folder, dist, webhook) {
  const certDir = mkdtempSync(join(folder, 'requests-'));
  const kadmit = await startKadmit({ certDir, program: join(dist, 'main.js'), flags: ['--ui-port', '-1'] });
  const start = processorTime(kadmit);
  const server = { port: kadmit.port, ca: kadmit.ca, cert: kadmit.cert, key: kadmit.key };
  let loads = 0;
  const loadOver = (lines) => (count, kind) =>
    runClient('./load-client.mjs', { server, connections: lines, count, kind, prefix: `o-${(loads += 1)}` });
  const load = loadOver(connections);
  const create = (warm, count, kind) => costOf(kadmit, [warm, count], (number) => load(number, kind));
  const createWith = async (each, warm, count) => {
    await configure(kadmit, webhook, { mutating: each, validating: each });
    const figure = await create(warm, count);
    await unconfigure(kadmit);
    return figure;
  };
  const listPods = async () => {
    await load(500, 'pods');
    return (await costOf(kadmit, [4, 12], read('pods'))) / 1000;
  };
  const read = (path) => (count) => readOften(server, path, count);
  const oneByOne = async (count) => 1000 * (await loadOver(1)(count)).p50;
  const figures = {
    'start to ready, ms of processor': start,
    'resident memory when idle, MiB': residentMemory(kadmit),
    'create of a ConfigMap, µs': await create(3000, 4000),
    'the same one at a time, µs by the clock': await oneByOne(2000),
    'with 1 and 1 webhook, µs': await createWith(1, 800, 1500),
    'with 5 and 5 webhooks, µs': await createWith(5, 300, 500),
    'get of a ConfigMap, µs': await costOf(kadmit, [800, 4000], read('configmaps/o-1-1')),
    'list of 500 Pods, ms': await listPods(),
    'create of a Pod, µs': await create(600, 1500, 'pods'),
    'resident memory at the end, MiB': residentMemory(kadmit),
  };
  await kadmit.stop();
  return figures;
}

/** Microseconds of the server's processor for each of `count`, after `warm` others. */
async function costOf(kadmit, [warm, count], act) {
  await act(warm);
  const before = processorTime(kadmit);
  await act(count);
  return (1000 * (processorTime(kadmit) - before)) / count;
}

async function readOften(server, name, count) {
  const bytes = jsonRequest('GET', `/api/v1/namespaces/default/${name}`);
  let next = 0;
  const work = async () => {
    const line = openLine(server);
    while ((next += 1) <= count) {
      const { code } = await line.send(bytes);
      if (code !== 200) throw new Error(`GET ${name}: ${code}`);
    }
    line.close();
  };
  await Promise.all(Array.from({ length: Math.min(count, connections) }, work));
}

/** Creates in a world of the library, once V8 has compiled what they need. */
function inWorlds(dist) {
  const client = fileURLToPath(new URL('warm-world-client.mjs', import.meta.url));
  return JSON.parse(execFileSync(process.execPath, [client, dist], { encoding: 'utf8' }));
}

const scenario = (number) => `name: scenario ${number}
webhooks:
  - { name: a.example.com, type: validating, rules: configmaps, does: allow }
steps:
  - create: { apiVersion: v1, kind: ConfigMap, metadata: { name: a } }
    expect: { code: 201 }
`;

/** Seconds of the clock and of all processors. */
function testRun(folder, dist) {
  const path = mkdtempSync(join(folder, 'scenarios-'));
  for (let number = 0; number < scenarios; number += 1) {
    mkdirSync(join(path, String(number)));
    writeFileSync(join(path, String(number), 'scenario.yaml'), scenario(number));
  }
  const began = performance.now();
  // POSIX: the second line of `times` is about the children of the shell.
  const run = [process.execPath, join(dist, 'main.js'), 'test', path];
  const times = execFileSync('sh', ['-c', '"$@" >/dev/null || exit; times', 'sh', ...run], { encoding: 'utf8' });
  const clock = (performance.now() - began) / 1000;
  const [user, system] = times.split('\n')[1].split(' ').map(secondsOf);
  return { [`kadmit test of ${scenarios} scenarios, s`]: clock, 'the same, s of processor': user + system };
}

/** `1m2.34s` */
function secondsOf(text) {
  const [minutes, seconds] = text.split('m');
  return 60 * Number(minutes) + Number(seconds.replace('s', ''));
}
