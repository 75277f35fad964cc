import { manifestFiles } from '../../testing/scenario/read/files.ts';
import { existsSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { asObject, asString } from '../../machinery/json/json.ts';
import type { Scenario } from '../../testing/scenario/format.ts';
import { locateManifest } from '../../testing/scenario/steps/locate.ts';
import type { ScenarioWorld, Worlds } from '../../testing/scenario/world.ts';
import type { LintObject } from '../lint/model/lint-object.ts';
import { dumpedObject, type Lane, laneRequests, type NumberedRequest } from './logged-request.ts';
import { type LogPart, type LogReport, replayPart, mergeParts } from './replay-log.ts';
import {
  replayScenario,
  type ReplaySet,
  type ReplayTask,
  type ReplayMessage,
  trialObjects,
} from './trial-scenarios.ts';

export interface ReplayOptions extends ReplaySet {
  /** A file; '' for none. */
  readonly auditLog: string;
  /** Files of objects, each created as a dry run. */
  readonly dump: readonly string[];
}

/**
 * Replays log and dump. Rejects with ConfigError for an unreadable file, with Error for a set that cannot be stored.
 */
export async function replayReport({ auditLog, dump, ...set }: ReplayOptions, worlds: Worlds): Promise<LogReport> {
  const scenario = replayScenario(set);
  const dumped = dump.length === 0 ? [] : trialObjects(dump);
  const parts = dumped.length === 0 ? [] : [await replayPart(scenario, worlds, (world) => dumpRequests(dumped, world))];
  return mergeParts([...parts, ...(auditLog === '' ? [] : await replayParts({ auditLog, set, scenario }, worlds))]);
}

/** Dumped objects precede the log. */
async function* dumpRequests(dumped: readonly LintObject[], world: ScenarioWorld): AsyncGenerator<NumberedRequest> {
  for (const [index, { object }] of dumped.entries()) {
    const at = index - dumped.length;
    const location = await locateManifest(world, object);
    if (location.outcome === 'unknown') yield { at, one: 'a kind that is not served' };
    else
      yield { at, one: dumpedObject(object, location.collection, asString(asObject(object['metadata'])['namespace'])) };
  }
}

/** Bytes. Shorter logs finish before threads start. */
const minThreadedBytes = 4 * 1024 * 1024;

/** Fixed, so that generated names do not depend on the number of processors. */
const threadedLanes = 4;

/** Memory per thread in MiB: the largest events and the stored set. */
const minMegabytes = 384;
const maxMegabytes = 1024;
const threadMegabytes = (load: readonly string[]): number =>
  Math.min(maxMegabytes, minMegabytes + Math.ceil((24 * totalBytes(load)) / 2 ** 20));

const totalBytes = (paths: readonly string[]): number =>
  paths
    .flatMap((path) => (existsSync(path) ? manifestFiles(path) : []))
    .reduce((sum, file) => sum + statSync(file).size, 0);

interface LogReplay {
  readonly auditLog: string;
  readonly set: ReplaySet;
  readonly scenario: Scenario;
}

/** Replays a log, in threads if it is long. Rejects when it cannot be read, or the set cannot be stored. */
async function replayParts({ auditLog, set, scenario }: LogReplay, worlds: Worlds): Promise<readonly LogPart[]> {
  const lanes = planLanes(auditLog);
  const module = threadModule();
  const threads = module ? Math.min(lanes.length, availableParallelism()) : 1;
  if (module && threads > 1) {
    const tasks = Array.from({ length: threads }, (_none, thread): ReplayTask => {
      return { auditLog, set, lanes: lanes.filter(({ index }) => index % threads === thread) };
    });
    return replayInThreads(tasks, module);
  }
  const parts: LogPart[] = [];
  for (const lane of lanes) parts.push(await replayPart(scenario, worlds, () => laneRequests(auditLog, lane)));
  return parts;
}

/** A pipe can be read only once, so it has one lane. */
export function planLanes(file: string): readonly Lane[] {
  const found = statSync(file, { throwIfNoEntry: false });
  const of = found?.isFile() === true && found.size >= minThreadedBytes ? threadedLanes : 1;
  return Array.from({ length: of }, (_none, index) => ({ index, of }));
}

/** The thread's entry in the bundle; sources have none. */
function threadModule(): URL | undefined {
  const places = ['../replay-thread.js', './replay-thread.js'].map((place) => new URL(place, import.meta.url));
  return places.find((place) => existsSync(fileURLToPath(place)));
}

/** The first failing thread ends all. */
async function replayInThreads(tasks: readonly ReplayTask[], module: URL): Promise<readonly LogPart[]> {
  const workers: Worker[] = [];
  try {
    const all = tasks.map((task) => {
      const worker = new Worker(module, {
        workerData: task,
        resourceLimits: { maxOldGenerationSizeMb: threadMegabytes(task.set.load) },
      });
      workers.push(worker);
      return receiveParts(worker);
    });
    return (await Promise.all(all)).flat();
  } finally {
    for (const worker of workers) void worker.terminate();
  }
}

const receiveParts = (worker: Worker): Promise<readonly LogPart[]> =>
  new Promise((resolve, reject) => {
    worker.on('message', (word: ReplayMessage) => {
      if (word.type === 'done') resolve(word.parts);
      else reject(new Error(word.text));
    });
    worker.on('error', reject);
    worker.on('exit', (code) => reject(new Error(`a thread of kadmit replay ended with code ${code}`)));
  });
