import { existsSync, writeFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { readRegularFile } from '../../../adapters/files/bounded-file.ts';
import type { Goldens } from '../../../testing/scenario/expect/golden-text.ts';
import { goldenProblem } from '../../../testing/scenario/golden-path.ts';
import type { Combination } from '../../../testing/scenario/matrix.ts';
import type { ScenarioStep } from '../../../testing/scenario/format.ts';
import type { ScenarioOutcome } from '../../../testing/scenario/outcome.ts';
import type { WorldAnswer } from '../../../testing/scenario/world.ts';
import { planRuns, type RunPlan, type ScenarioSelection } from '../../../testing/scenario/plan-runs.ts';
import { runAll } from '../../../testing/scenario/run-all.ts';
import type { CommandContext } from '../command-context.ts';
import type { TestOptions } from './test-flags.ts';
import { writeStepTrace } from './test-traces.ts';

export interface WorkerTask {
  readonly files: readonly string[];
  readonly options: TestOptions;
  readonly parallel: number;
  /** Keys of runs that an earlier thread has completed. */
  readonly done: readonly string[];
  /** Files that ended a thread while they were read, with the error. */
  readonly broken: ReadonlyMap<string, string>;
  /** Not 0: start no further scenario. */
  readonly over: Int32Array;
}

export type WorkerMessage =
  /** Sent before a file is read: its scripts run. */
  | { readonly type: 'reading'; readonly file: string }
  | ({ readonly type: 'planned'; readonly runs: number } & Pick<
      RunPlan,
      'leftOut' | 'unreadable' | 'scriptless' | 'notes'
    >)
  | { readonly type: 'started'; readonly run: StartedRun }
  | { readonly type: 'outcome'; readonly key: string; readonly outcome: ScenarioOutcome }
  | { readonly type: 'bug'; readonly text: string }
  /** The work is complete: an end without it is a failure. */
  | { readonly type: 'done' };

/** A running scenario: enough for its outcome when it ends its thread. */
export interface StartedRun extends Pick<ScenarioOutcome, 'scenario' | 'combination'> {
  readonly key: string;
}

/** The same run in every thread. */
export const outcomeKey = ({ scenario, combination }: Pick<ScenarioOutcome, 'scenario' | 'combination'>): string =>
  `${scenario.file}\n${combination}`;

export async function runTestWorker(createWorlds: CommandContext['createWorlds']): Promise<void> {
  const { files, options, parallel, done, broken, over } = workerData as WorkerTask; // Made by test-threads.ts alone.
  const post = (message: WorkerMessage): void => parentPort?.postMessage(message);
  const { runs, leftOut, unreadable, scriptless, notes } = await planRuns(files, {
    ...selectionOf(options),
    onRead: (file) => {
      post({ type: 'reading', file });
      return broken.get(file);
    },
  });
  post({ type: 'planned', runs: runs.length, leftOut, unreadable, scriptless, notes });
  const worlds = await createWorlds((error) =>
    post({ type: 'bug', text: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
  const left = runs.filter((run) => !done.includes(outcomeKey(run)));
  await runAll(left, worlds, {
    ...runOptions(options),
    parallel,
    isOver: () => Atomics.load(over, 0) !== 0,
    on: 'kadmit',
    onStart: (run) => post({ type: 'started', run: toStartedRun(run) }),
    onOutcome: (outcome) =>
      post({ type: 'outcome', key: outcomeKey(outcome), outcome: withoutUnusedTraces(outcome, options.traceDir) }),
  });
  await worlds.close();
  post({ type: 'done' });
}

/** For runs in this process and in threads. */
export const runOptions = (options: TestOptions) => ({
  bail: options.bail,
  goldens: goldenFiles(options.update),
  limits: { scenario: options.scenarioTimeout, step: options.stepTimeout },
  coverage: options.coverage,
  now: () => performance.now(),
  onAnswer: (run: Combination, step: ScenarioStep, { trace }: WorldAnswer): void => {
    if (options.traceDir !== '' && trace) writeStepTrace(options.traceDir, run, step, trace);
  },
});

function toStartedRun(run: Combination): StartedRun {
  const { name, file, description } = run.scenario;
  return { key: outcomeKey(run), scenario: { name, file, description }, combination: run.combination };
}

/** Traces of passed steps are dropped: copying them is expensive. */
const withoutUnusedTraces = (outcome: ScenarioOutcome, traceDir: string): ScenarioOutcome =>
  traceDir !== '' && outcome.outcome !== 'passed'
    ? outcome
    : {
        ...outcome,
        steps: outcome.steps.map((step) => (step.outcome === 'failed' ? step : { ...step, trace: undefined })),
      };

export const selectionOf = ({
  filter,
  shard,
  clock,
  kubernetesVersion,
  noScripts,
}: TestOptions): ScenarioSelection => ({
  isSelected: (title, file) => filter === undefined || filter.test(title) || filter.test(file),
  shard,
  clock,
  kubernetesVersion,
  noScripts,
});

/** Golden files on disk; `--update` writes them. */
const goldenFiles = (update: boolean): Goldens => ({
  problem: goldenProblem,
  // Git may have checked the file out with the line ends of Windows.
  read: (path) => (existsSync(path) ? readRegularFile(path).replaceAll('\r\n', '\n') : undefined),
  write: update ? (path, text) => writeFileSync(path, text) : undefined,
});
