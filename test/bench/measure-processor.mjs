import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { jsonRequest, openLine, openStream } from './https-line.mjs';
import { configMap, pod } from './objects.mjs';
import { processorTime, readResources, reportsResources, startKadmit, startServer } from './processes.mjs';
import { median } from './table.mjs';

const [creates, pods, lists, events, warm] = [300, 600, 5, 100, 1500];
const collection = (kind) => `/api/v1/namespaces/default/${kind}`;

/**
 * Processor time of what kadmit does for its users, as ratios to the least that the same work can cost on the same
 * machine at the same moment: other load cancels out. Of several builds each round asks one after the other.
 */
export async function measureProcessor(folder, builds, rounds) {
  const figures = builds.map(() => new Map());
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, dist] of builds.entries()) {
      const figured = { ...inWorlds(dist), ...(await overHttps(folder, dist)) };
      for (const [what, figure] of Object.entries(figured)) {
        figures[index].set(what, [...(figures[index].get(what) ?? []), figure]);
      }
    }
  }
  return [...figures[0].keys()].map((what) =>
    rowOf(
      what,
      figures.map((of) => of.get(what)),
    ),
  );
}

const goals = {
  'create of a ConfigMap in a world, to its JSON': 25,
  'create of a Pod in a world, to its JSON': 8,
  'create of a ConfigMap over HTTPS, to an echo': 2.5,
  'list of Pods, to writing that JSON': 1.5,
  'an update seen by 100 watchers, to one seen by one': 3,
  'memory of a stored Pod, to its JSON': 2,
};

/** Two builds differ when the middle halves of their figures lie apart; a few rounds do not tell. */
function rowOf(what, [mine, other]) {
  const figure = median(mine);
  const goal = goals[what];
  const row = { what, figure: shown(figure), ...(goal && { goal: `<= ${goal}`, met: figure <= goal }) };
  if (!other) return row;
  if (mine.length < 4) return { ...row, figure: `${shown(figure)} (${shown(median(other))})` };
  const [low, high] = quartiles(mine);
  const [otherLow, otherHigh] = quartiles(other);
  const differs = high < otherLow ? 'less' : low > otherHigh ? 'more' : 'the same';
  return { ...row, figure: `${shown(figure)}, ${differs} (${shown(median(other))})` };
}

const shown = (figure) => (figure < 100 ? figure.toFixed(1) : figure.toFixed(0));

function quartiles(figures) {
  const sorted = figures.toSorted((a, b) => a - b);
  return [sorted[Math.floor(sorted.length / 4)], sorted[Math.ceil((3 * sorted.length) / 4) - 1]];
}

function inWorlds(dist) {
  const client = fileURLToPath(new URL('world-client.mjs', import.meta.url));
  const said = JSON.parse(execFileSync(process.execPath, [client, dist], { encoding: 'utf8' }));
  const figures = Object.entries(said).flatMap(([what, { first, microseconds, json }]) => [
    [`${what}, the first 240, µs`, first],
    [`${what}, to 660, µs`, microseconds],
    [`${what}, to its JSON`, microseconds / json],
  ]);
  return Object.fromEntries(figures);
}

async function overHttps(folder, dist) {
  const certDir = mkdtempSync(join(folder, 'processor-'));
  const kadmit = await startKadmit({
    ...reportsResources,
    certDir,
    flags: ['--ui-port', '-1'],
    program: join(dist, 'main.js'),
  });
  const echo = await startServer('./echo-server.mjs', certDir);
  const start = processorTime(kadmit);
  const creation = (server, kind, make) => (index) =>
    server.send(jsonRequest('POST', collection(kind), make(`o-${index}`)));
  const [toKadmit, toEcho] = [linesTo(kadmit), linesTo(echo)];
  const cost = async (server, count, act) => {
    const before = processorTime(server);
    await toEach(count, act);
    return (1000 * (processorTime(server) - before)) / count;
  };
  const made = async (kind, make, what) => {
    const create = creation(toKadmit, kind, make);
    const first = await cost(kadmit, creates, create);
    const then = await cost(kadmit, creates, (index) => create(creates + index));
    return {
      [`${what}, the first 300, µs`]: first,
      [`${what}, 301 to 600, µs`]: then,
      // Which of the two pays is V8's: it compiles in bursts.
      [`${what}, the first 600, µs`]: (first + then) / 2,
      [`${what}, to an echo`]: then / (await cost(echo, creates, creation(toEcho, kind, make))),
    };
  };
  await cost(echo, creates, creation(toEcho, 'configmaps', configMap));
  const ofConfigMaps = await made('configmaps', configMap, 'create of a ConfigMap over HTTPS');
  const ofPods = await made('pods', pod, 'create of a Pod over HTTPS');
  const makePods = (from) => toEach(pods, (index) => creation(toKadmit, 'pods', pod)(from + index));
  await makePods(2 * creates);
  const listed = (await toKadmit.send(jsonRequest('GET', collection('pods')))).body.toString();
  const list = await cost(kadmit, lists, () => toKadmit.send(jsonRequest('GET', collection('pods'))));
  const change = (index) =>
    toKadmit.send(
      jsonRequest('PUT', `${collection('configmaps')}/o-1`, { ...configMap('o-1'), data: { index: String(index) } }),
    );
  const seenByOne = await watched(kadmit, 1, () => cost(kadmit, events, change));
  const seenByMany = await watched(kadmit, 100, () => cost(kadmit, events, change));
  const before = (await readResources(kadmit)).heapUsed;
  await makePods(2 * creates + pods);
  const memory = ((await readResources(kadmit)).heapUsed - before) / pods;
  const createWarm = (index) => creation(toKadmit, 'configmaps', configMap)(2 * creates + index);
  await toEach(warm, createWarm);
  const onceWarm = await cost(kadmit, warm, (index) => createWarm(warm + index));
  for (const one of [toKadmit, toEcho]) one.close();
  await Promise.all([kadmit.stop(), echo.stop()]);
  const items = JSON.parse(listed);
  return {
    'start to ready, ms of processor': start,
    ...ofConfigMaps,
    ...ofPods,
    'create of a ConfigMap over HTTPS, once warm, µs': onceWarm,
    'list of Pods, to writing that JSON': list / own(lists, () => Buffer.from(JSON.stringify(items))),
    'an update seen by 100 watchers, to one seen by one': seenByMany / seenByOne,
    'memory of a stored Pod, to its JSON': memory / (listed.length / items.items.length),
  };
}

/** Eight at a time. */
async function toEach(count, act) {
  let next = 0;
  const work = async () => {
    while (next < count) await act((next += 1));
  };
  await Promise.all(Array.from({ length: 8 }, work));
}

/** Microseconds of this process. */
function own(turns, act) {
  const before = process.cpuUsage();
  for (let turn = 0; turn < turns; turn += 1) act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / turns;
}

/** Connections to a server, as many as are in use at once. */
function linesTo(server) {
  const free = [];
  return {
    send: async (bytes) => {
      const line = free.pop() ?? openLine(server);
      const answer = await line.send(bytes);
      if (answer.code >= 300) throw new Error(`${answer.code}: ${answer.body.toString()}`);
      free.push(line);
      return answer;
    },
    close: () => free.forEach((line) => line.close()),
  };
}

async function watched(kadmit, count, act) {
  const path = `${collection('configmaps')}?watch=1`;
  const watches = await Promise.all(Array.from({ length: count }, () => openStream(kadmit, path)));
  const figure = await act();
  for (const close of watches) close();
  return figure;
}
