import type { ScenarioOutcome } from '../../../testing/scenario/outcome.ts';
import { titleOf } from '../../../testing/scenario/report/test-run.ts';
import type { TestRun, UnreadableScenario } from '../../../testing/scenario/report/test-run.ts';
import type { TestOptions } from './test-options.ts';
import type { Screen } from './test-screen.ts';
import type { StartedRun, WorkerTask, WorkerWord } from './test-worker.ts';
import { runThread } from './watched-thread.ts';
import type { ThreadEnd } from './watched-thread.ts';

/** Fewer files than this for a thread are done sooner than the thread is up. */
const worthAThread = 30;

/** Into how many threads these scenarios are to be split. */
export const threadsFor = (files: readonly string[], { parallel, shard }: TestOptions): number =>
  shard.count > 1 ? 1 : Math.max(1, Math.min(parallel, Math.floor(files.length / worthAThread)));

export interface ThreadsPorts {
  /** The module that a thread runs. */
  readonly module: URL;
  readonly screen: Screen;
  /** What is to be known besides. */
  readonly tell: (text: string) => void;
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
        return word.notes.forEach(ports.tell);
      }
      case 'started':
        return ports.screen.running(titleOf(word.run), heard.runs);
      case 'outcome':
        onDone(word.key);
        return settle(word.outcome, part);
      case 'bug':
        return ports.onBug(word.text);
    }
  };
  return { hear, planned: () => planned };
}
