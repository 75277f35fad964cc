import { Worker } from 'node:worker_threads';
import type { ScenarioOutcome } from '../../../testing/scenario/outcome.ts';
import type { TestRun, UnreadableScenario } from '../../../testing/scenario/report/test-run.ts';
import { formatLimit } from '../../../testing/scenario/run-limits.ts';
import type { TestOptions } from './test-flags.ts';
import type { Screen } from './test-reports.ts';
import { outcomeKey, type StartedRun, type WorkerTask, type WorkerMessage } from './test-worker.ts';

/** Starting a thread, and compiling in it, takes longer than fewer files. */
const filesPerThread = 200;

export const threadsFor = (files: readonly string[], { parallel, shard }: TestOptions): number =>
  shard.count > 1 ? 1 : Math.max(1, Math.min(parallel, Math.floor(files.length / filesPerThread)));

export interface ThreadsPorts {
  readonly module: URL;
  readonly screen: Screen;
  readonly report: (text: string) => void;
  readonly onBug: (text: string) => void;
  /** Ends the run; its reason is in the outcome of running scenarios. */
  readonly signal: AbortSignal;
}

export interface ThreadsRun extends TestRun {
  readonly leftOut: number;
  readonly scriptless: readonly string[];
}

interface Results {
  readonly outcomes: ScenarioOutcome[];
  readonly unreadable: UnreadableScenario[];
  readonly scriptless: string[];
  /** Runs in the order in which they started, by key. */
  readonly started: Map<string, number>;
  runs: number;
  leftOut: number;
}

/**
 * Runs the scenarios in threads. A scenario that ends its thread has failed, and another thread runs the rest.
 */
export async function runInThreads(
  files: readonly string[],
  count: number,
  options: TestOptions,
  ports: ThreadsPorts,
): Promise<ThreadsRun> {
  const startedAt = Date.now();
  const start = performance.now();
  const over = new Int32Array(new SharedArrayBuffer(4));
  const results: Results = { outcomes: [], unreadable: [], scriptless: [], started: new Map(), runs: 0, leftOut: 0 };
  const parts = Array.from({ length: count }, (_none, part) => files.filter((_file, index) => index % count === part));
  const parallel = Math.max(1, Math.floor(options.parallel / count));
  await Promise.all(parts.map((part) => runPart(part, { options, parallel, over, results, ports })));
  const positions = new Map(files.map((file, index) => [file, index]));
  const positionOf = (file: string): number => positions.get(file) ?? 0;
  const { outcomes, unreadable, scriptless, started, runs, leftOut } = results;
  const startOf = (outcome: ScenarioOutcome): number => started.get(outcomeKey(outcome)) ?? 0;
  return {
    startedAt,
    milliseconds: performance.now() - start,
    outcomes: outcomes.toSorted(
      (a, b) => positionOf(a.scenario.file) - positionOf(b.scenario.file) || startOf(a) - startOf(b),
    ),
    unreadable: unreadable.toSorted((a, b) => positionOf(a.file) - positionOf(b.file)),
    notRun: runs - outcomes.length,
    ...(ports.signal.aborted ? { ended: String(ports.signal.reason) } : {}),
    leftOut,
    scriptless,
  };
}

interface ThreadPart {
  readonly options: TestOptions;
  readonly parallel: number;
  readonly over: Int32Array;
  readonly results: Results;
  readonly ports: ThreadsPorts;
}

/** One thread after the other, until all of the part is done. */
async function runPart(files: readonly string[], part: ThreadPart): Promise<void> {
  const { options, over, ports } = part;
  const done: string[] = [];
  const broken = new Map<string, string>();
  const { receive, planned } = createReceiver(part, (key) => done.push(key));
  let parallel = part.parallel;
  while (!ports.signal.aborted) {
    const before = done.length + broken.size;
    const task: WorkerTask = { files, options, parallel, done, broken, over };
    const ended = await runThread(task, { module: ports.module, receive, signal: ports.signal });
    if (ended.outcome === 'done') return;
    const crashed = crashedRuns(ended, ports.signal.aborted);
    if (ended.reading !== undefined) broken.set(ended.reading, `reading it ended the run: ${ended.because}`);
    for (const run of crashed) {
      done.push(run.key);
      recordOutcome(brokenRun(run, ended.because), part);
    }
    // Run one by one to find the culprit.
    const isStuck = done.length + broken.size === before && parallel === 1;
    parallel = 1;
    if (!isStuck) continue;
    // All scenarios are done: ignore errors after the last.
    if (ports.signal.aborted || done.length >= planned() || Atomics.load(over, 0) !== 0) return;
    throw new Error(`a thread of kadmit test failed: ${ended.because}`);
  }
}

/** All running scenarios of a thread that was ended from outside. */
const crashedRuns = (
  { running }: Extract<ThreadEnd, { outcome: 'died' }>,
  isStopped: boolean,
): readonly StartedRun[] => (isStopped || running.length === 1 ? running : []);

const brokenRun = ({ scenario, combination }: StartedRun, message: string): ScenarioOutcome => ({
  scenario,
  combination,
  outcome: 'broken',
  problem: { message },
  steps: [],
  milliseconds: 0,
  worldMilliseconds: 0,
});

function recordOutcome(outcome: ScenarioOutcome, { results, options, over, ports }: ThreadPart): void {
  results.outcomes.push(outcome);
  if (options.bail && outcome.outcome !== 'passed') Atomics.store(over, 0, 1);
  ports.screen.over(outcome);
}

interface Receiver {
  readonly receive: (message: WorkerMessage) => void;
  /** Number of runs of the part; Infinity before planning. */
  readonly planned: () => number;
}

/** Collects the messages of a part's threads; each thread plans again, only the first plan counts. */
function createReceiver(part: ThreadPart, onDone: (key: string) => void): Receiver {
  const { results, ports } = part;
  const known = new Set<string>();
  let planned = Infinity;
  const receive = (message: WorkerMessage): void => {
    switch (message.type) {
      case 'reading':
      case 'done':
        return undefined;
      case 'planned': {
        for (const one of message.unreadable.filter(({ file }) => !known.has(file))) {
          known.add(one.file);
          results.unreadable.push(one);
          ports.screen.unreadable(one);
        }
        if (planned < Infinity) return undefined;
        planned = message.runs;
        results.runs += message.runs;
        results.leftOut += message.leftOut;
        results.scriptless.push(...message.scriptless);
        return message.notes.forEach(ports.report);
      }
      case 'started':
        if (!results.started.has(message.run.key)) results.started.set(message.run.key, results.started.size);
        return ports.screen.running(message.run, results.runs);
      case 'outcome':
        onDone(message.key);
        return recordOutcome(message.outcome, part);
      case 'bug':
        return ports.onBug(message.text);
    }
  };
  return { receive, planned: () => planned };
}

type ThreadEnd =
  | { readonly outcome: 'done' }
  /** The file that was read, or the scenarios that ran, at the end. */
  | {
      readonly outcome: 'died';
      readonly because: string;
      readonly reading: string | undefined;
      readonly running: readonly StartedRun[];
    };

interface ThreadPorts {
  readonly module: URL;
  readonly receive: (message: WorkerMessage) => void;
  /** Ends it from outside. */
  readonly signal: AbortSignal;
}

/** Megabytes; more end the thread, not the process. */
const maxMegabytes = 2048;

/** Milliseconds after the timeout before the thread is ended. */
const graceMs = 2000;

/** Scripts can end a thread, fill its memory, or block it. */
function runThread(task: WorkerTask, { module, receive, signal }: ThreadPorts): Promise<ThreadEnd> {
  return new Promise((resolve) => {
    const worker = new Worker(module, { workerData: task, resourceLimits: { maxOldGenerationSizeMb: maxMegabytes } });
    const running = new Map<string, StartedRun>();
    const { scenarioTimeout } = task.options;
    let reading: string | undefined;
    let because = '';
    let isDone = false;
    const end = (why: string): void => {
      because ||= why;
      void worker.terminate();
    };
    const timers = new Map<string, NodeJS.Timeout>();
    const watch = (what: string): void => {
      const late = (): void => end(`it did not end within ${formatLimit(scenarioTimeout)} and blocks its thread`);
      timers.set(what, setTimeout(late, scenarioTimeout + graceMs));
    };
    const unwatch = (what: string): void => clearTimeout(timers.get(what));
    const stop = (): void => end(String(signal.reason));
    signal.addEventListener('abort', stop);
    worker.on('message', (message: WorkerMessage) => {
      if (message.type === 'reading' || message.type === 'planned') {
        if (reading !== undefined) unwatch(reading);
        reading = message.type === 'reading' ? message.file : undefined;
        if (reading !== undefined) watch(reading);
      }
      if (message.type === 'started') {
        running.set(message.run.key, message.run);
        watch(message.run.key);
      }
      if (message.type === 'outcome') {
        running.delete(message.key);
        unwatch(message.key);
      }
      receive(message);
      if (message.type !== 'done') return;
      isDone = true;
      // Timers of scripts would keep it alive.
      void worker.terminate();
    });
    worker.on('error', (error) => (because ||= errorText(error)));
    worker.on('exit', (code) => {
      signal.removeEventListener('abort', stop);
      for (const timer of timers.values()) clearTimeout(timer);
      if (isDone) return resolve({ outcome: 'done' });
      because ||= `a script ended the process with code ${code}`;
      return resolve({ outcome: 'died', because, reading, running: [...running.values()] });
    });
  });
}

function errorText(error: Error): string {
  if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return `it needs more than ${maxMegabytes} MB of memory`;
  }
  return `unhandled error: ${error.message}`;
}
