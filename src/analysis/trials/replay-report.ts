import { existsSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { asObject, asString } from '../../machinery/json/json.ts';
import type { Scenario } from '../../testing/scenario/format.ts';
import { manifestFiles } from '../../testing/scenario/read/manifests.ts';
import { locateManifest } from '../../testing/scenario/steps/locate.ts';
import type { World, Worlds } from '../../testing/scenario/world.ts';
import type { LintObject } from '../lint/model/lint-object.ts';
import { laneRequests } from './log-lines.ts';
import type { Lane } from './log-lines.ts';
import { dumpedObject } from './logged-request.ts';
import { replayPart, reportOf } from './replay-log.ts';
import type { LogPart, LogReport, Numbered } from './replay-log.ts';
import { replayScenario } from './replay-scenario.ts';
import type { ReplaySet, ReplayTask, ReplayWord } from './replay-scenario.ts';
import { trialObjects } from './trial-scenarios.ts';

/** What is stored, and whose writes are sent. */
export interface ReplayOptions extends ReplaySet {
  /** A file; '' is none. */
  readonly auditLog: string;
  /** Files of objects, each of which is created as a dry run. */
  readonly dump: readonly string[];
}

/** What the set makes of the log and the dump. Rejects with ConfigError for a file that cannot be read, with Error for a set that cannot be stored. */
export async function replayReport({ auditLog, dump, ...set }: ReplayOptions, worlds: Worlds): Promise<LogReport> {
  const scenario = replayScenario(set);
  const dumped = dump.length === 0 ? [] : trialObjects(dump);
  const parts = dumped.length === 0 ? [] : [await replayPart(scenario, worlds, (world) => requestsOf(dumped, world))];
  return reportOf([...parts, ...(auditLog === '' ? [] : await replayParts({ auditLog, set, scenario }, worlds))]);
}

/** The objects of a dump come before all lines of the log. */
async function* requestsOf(dumped: readonly LintObject[], world: World): AsyncGenerator<Numbered> {
  for (const [index, { object }] of dumped.entries()) {
    const at = index - dumped.length;
    const location = await locateManifest(world, object);
    if (location.outcome === 'unknown') yield { at, one: 'a kind that is not served' };
    else
      yield { at, one: dumpedObject(object, location.collection, asString(asObject(object['metadata'])['namespace'])) };
  }
}

/** Below so many bytes a log is done before threads are up. */
const worthThreads = 4 * 1024 * 1024;

/** A log that is dealt out has so many lanes whatever the processors, so that they do not decide what names are drawn. */
const lanesOfLong = 4;

/** Megabytes of objects that a thread may hold: what the largest events need, and what is stored first, as objects. */
const fewestMegabytes = 384;
const mostMegabytes = 1024;
const megabytesOf = (load: readonly string[]): number =>
  Math.min(mostMegabytes, fewestMegabytes + Math.ceil((24 * bytesIn(load)) / 2 ** 20));

const bytesIn = (paths: readonly string[]): number =>
  paths
    .flatMap((path) => (existsSync(path) ? manifestFiles(path) : []))
    .reduce((sum, file) => sum + statSync(file).size, 0);

/** A log, and where the set stands that it is held against. */
interface Replayed {
  readonly auditLog: string;
  readonly set: ReplaySet;
  readonly scenario: Scenario;
}

/** What the writes of a log come to, a long one in threads. Rejects when it cannot be read, or the set cannot be stored. */
async function replayParts({ auditLog, set, scenario }: Replayed, worlds: Worlds): Promise<readonly LogPart[]> {
  const lanes = lanesOf(auditLog);
  const module = threadModule();
  const threads = module ? Math.min(lanes.length, availableParallelism()) : 1;
  if (module && threads > 1) {
    const tasks = Array.from({ length: threads }, (_none, thread): ReplayTask => {
      return { auditLog, set, lanes: lanes.filter(({ index }) => index % threads === thread) };
    });
    return inThreads(tasks, module);
  }
  const parts: LogPart[] = [];
  for (const lane of lanes) parts.push(await replayPart(scenario, worlds, () => laneRequests(auditLog, lane)));
  return parts;
}

/** A pipe can be read only once, so that it has one. */
export function lanesOf(file: string): readonly Lane[] {
  const found = statSync(file, { throwIfNoEntry: false });
  const of = found?.isFile() === true && found.size >= worthThreads ? lanesOfLong : 1;
  return Array.from({ length: of }, (_none, index) => ({ index, of }));
}

/** The entry of the bundle that a thread runs; the sources have none. */
function threadModule(): URL | undefined {
  const places = ['../replay-thread.js', './replay-thread.js'].map((place) => new URL(place, import.meta.url));
  return places.find((place) => existsSync(fileURLToPath(place)));
}

/** Each thread does its lanes; the first that fails ends them all. */
async function inThreads(tasks: readonly ReplayTask[], module: URL): Promise<readonly LogPart[]> {
  const workers: Worker[] = [];
  try {
    const all = tasks.map((task) => {
      const worker = new Worker(module, {
        workerData: task,
        resourceLimits: { maxOldGenerationSizeMb: megabytesOf(task.set.load) },
      });
      workers.push(worker);
      return partsOf(worker);
    });
    return (await Promise.all(all)).flat();
  } finally {
    for (const worker of workers) void worker.terminate();
  }
}

const partsOf = (worker: Worker): Promise<readonly LogPart[]> =>
  new Promise((resolve, reject) => {
    worker.on('message', (word: ReplayWord) => {
      if (word.type === 'done') resolve(word.parts);
      else reject(new Error(word.text));
    });
    worker.on('error', reject);
    worker.on('exit', (code) => reject(new Error(`a thread of kadmit replay ended with code ${code}`)));
  });
