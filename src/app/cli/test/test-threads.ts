import { Worker } from 'node:worker_threads';
import type { ScenarioOutcome } from '../../../testing/scenario/outcome.ts';
import { type TestRun, runTitle, type UnreadableScenario } from '../../../testing/scenario/report/test-run.ts';
import { limitText } from '../../../testing/scenario/run-limits.ts';
import type { TestOptions } from './test-flags.ts';
import type { Screen } from './test-reports.ts';
import type { StartedRun, WorkerTask, WorkerWord } from './test-worker.ts';

/** Fewer files than this for a thread are done sooner than the thread is up. */
const worthAThread = 30;

/** Into how many threads these scenarios are to be split. */
export const threadsFor = (files: readonly string[], { parallel, shard }: TestOptions): number =>
  shard.count > 1 ? 1 : Math.max(1, Math.min(parallel, Math.floor(files.length / worthAThread)));

export interface ThreadsPorts {
  /** The module that a thread runs. */
  readonly module: URL;
  readonly screen: Screen;
  /** Receives notes. */
  readonly report: (text: string) => void;
  readonly onBug: (text: string) => void;
  /** Ends the run; its reason is told of what was under way. */
  readonly signal: AbortSignal;
}

/** A run by threads, and what was never to be run. */
export interface ThreadsRun extends TestRun {
  readonly leftOut: number;
  readonly scriptless: readonly string[];
}

/** What the threads have told so far. */
interface Heard {
  readonly outcomes: ScenarioOutcome[];
  readonly unreadable: UnreadableScenario[];
  readonly scriptless: string[];
  runs: number;
  leftOut: number;
}

/**
 * Runs the scenarios in so many threads. What ends its thread has failed, and another thread does the rest: no scenario
 * ends the whole, or keeps it waiting.
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
  const heard: Heard = { outcomes: [], unreadable: [], scriptless: [], runs: 0, leftOut: 0 };
  const parts = Array.from({ length: count }, (_none, part) => files.filter((_file, index) => index % count === part));
  const parallel = Math.max(1, Math.floor(options.parallel / count));
  await Promise.all(parts.map((part) => runPart(part, { options, parallel, over, heard, ports })));
  const turn = new Map(files.map((file, index) => [file, index]));
  const turnOf = (file: string): number => turn.get(file) ?? 0;
  const { outcomes, unreadable, scriptless, runs, leftOut } = heard;
  return {
    startedAt,
    milliseconds: performance.now() - start,
    outcomes: outcomes.toSorted((a, b) => turnOf(a.scenario.file) - turnOf(b.scenario.file)),
    unreadable: unreadable.toSorted((a, b) => turnOf(a.file) - turnOf(b.file)),
    notRun: runs - outcomes.length,
    ...(ports.signal.aborted ? { ended: String(ports.signal.reason) } : {}),
    leftOut,
    scriptless,
  };
}

interface Part {
  readonly options: TestOptions;
  readonly parallel: number;
  readonly over: Int32Array;
  readonly heard: Heard;
  readonly ports: ThreadsPorts;
}

/** One thread after the other, until all of the part is done. */
async function runPart(files: readonly string[], part: Part): Promise<void> {
  const { options, over, ports } = part;
  const done: string[] = [];
  const broken = new Map<string, string>();
  const { hear, planned } = hearer(part, (key) => done.push(key));
  let parallel = part.parallel;
  while (!ports.signal.aborted) {
    const before = done.length + broken.size;
    const task: WorkerTask = { files, options: threadOptions(options), parallel, done, broken, over };
    const ended = await runThread(task, { module: ports.module, hear, signal: ports.signal });
    if (ended.outcome === 'done') return;
    const culprit = culpritOf(ended, ports.signal.aborted);
    if (ended.reading !== undefined) broken.set(ended.reading, `reading it ended the run: ${ended.because}`);
    for (const run of culprit) {
      done.push(run.key);
      settle(brokenRun(run, ended.because), part);
    }
    // Which of several it was shows when they run one by one.
    const isStuck = done.length + broken.size === before && parallel === 1;
    parallel = 1;
    if (!isStuck) continue;
    // What comes after the last of them is nobody's outcome.
    if (ports.signal.aborted || done.length >= planned() || Atomics.load(over, 0) !== 0) return;
    throw new Error(`a thread of kadmit test broke down: ${ended.because}`);
  }
}

/** Of a thread that was ended from outside, all that was under way. */
const culpritOf = ({ running }: Extract<ThreadEnd, { outcome: 'died' }>, isStopped: boolean): readonly StartedRun[] =>
  isStopped || running.length === 1 ? running : [];

const brokenRun = ({ scenario, combination }: StartedRun, message: string): ScenarioOutcome => ({
  scenario,
  combination,
  outcome: 'broken',
  problem: { message },
  steps: [],
  milliseconds: 0,
  worldMilliseconds: 0,
});

const threadOptions = ({
  filter,
  shard,
  clock,
  kubernetesVersion,
  failFast,
  update,
  traceDir,
  scenarioTimeout,
  stepTimeout,
  noScripts,
  coverage,
}: TestOptions): WorkerTask['options'] => ({
  filter,
  shard,
  clock,
  kubernetesVersion,
  failFast,
  update,
  traceDir,
  scenarioTimeout,
  stepTimeout,
  noScripts,
  coverage,
});

function settle(outcome: ScenarioOutcome, { heard, options, over, ports }: Part): void {
  heard.outcomes.push(outcome);
  if (options.failFast && outcome.outcome !== 'passed') Atomics.store(over, 0, 1);
  ports.screen.over(outcome);
}

interface Hearer {
  readonly hear: (word: WorkerWord) => void;
  /** How many runs the part has; Infinity while nobody knows. */
  readonly planned: () => number;
}

/** Takes down what the threads of a part say; each of them plans anew, and only the first is new. */
function hearer(part: Part, onDone: (key: string) => void): Hearer {
  const { heard, ports } = part;
  const known = new Set<string>();
  let planned = Infinity;
  const hear = (word: WorkerWord): void => {
    switch (word.type) {
      case 'reading':
      case 'done':
        return undefined;
      case 'planned': {
        for (const one of word.unreadable.filter(({ file }) => !known.has(file))) {
          known.add(one.file);
          heard.unreadable.push(one);
          ports.screen.unreadable(one);
        }
        if (planned < Infinity) return undefined;
        planned = word.runs;
        heard.runs += word.runs;
        heard.leftOut += word.leftOut;
        heard.scriptless.push(...word.scriptless);
        return word.notes.forEach(ports.report);
      }
      case 'started':
        return ports.screen.running(runTitle(word.run), heard.runs);
      case 'outcome':
        onDone(word.key);
        return settle(word.outcome, part);
      case 'bug':
        return ports.onBug(word.text);
    }
  };
  return { hear, planned: () => planned };
}

/** How a thread came to its end. */
type ThreadEnd =
  | { readonly outcome: 'done' }
  /** What was under way when something in it ended the thread: reading a file, or these runs. */
  | {
      readonly outcome: 'died';
      readonly because: string;
      readonly reading: string | undefined;
      readonly running: readonly StartedRun[];
    };

interface ThreadPorts {
  /** The module that it runs. */
  readonly module: URL;
  readonly hear: (word: WorkerWord) => void;
  /** Ends it from outside. */
  readonly signal: AbortSignal;
}

/** Megabytes of objects; what takes more ends its thread, not the process. */
const mostMegabytes = 2048;

/** A scenario ends itself when its time is up; one that does not even do that is ended after so many milliseconds more. */
const grace = 2000;

/** Runs a thread and looks after it: scripts can end it, fill its memory, or never let go of it. */
function runThread(task: WorkerTask, { module, hear, signal }: ThreadPorts): Promise<ThreadEnd> {
  return new Promise((resolve) => {
    const worker = new Worker(module, { workerData: task, resourceLimits: { maxOldGenerationSizeMb: mostMegabytes } });
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
      const late = (): void => end(`it did not end within ${limitText(scenarioTimeout)}, and did not answer either`);
      timers.set(what, setTimeout(late, scenarioTimeout + grace));
    };
    const unwatch = (what: string): void => clearTimeout(timers.get(what));
    const stop = (): void => end(String(signal.reason));
    signal.addEventListener('abort', stop);
    worker.on('message', (word: WorkerWord) => {
      if (word.type === 'reading' || word.type === 'planned') {
        if (reading !== undefined) unwatch(reading);
        reading = word.type === 'reading' ? word.file : undefined;
        if (reading !== undefined) watch(reading);
      }
      if (word.type === 'started') {
        running.set(word.run.key, word.run);
        watch(word.run.key);
      }
      if (word.type === 'outcome') {
        running.delete(word.key);
        unwatch(word.key);
      }
      hear(word);
      if (word.type !== 'done') return;
      isDone = true;
      // Timers of scripts would keep it.
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
    return `it took more memory than a scenario may have, ${mostMegabytes} MB`;
  }
  return `something threw where nobody waited for it: ${error.message}`;
}
