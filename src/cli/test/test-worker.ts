import { parentPort, workerData } from 'node:worker_threads';
import type { ScenarioOutcome } from '../../scenario/outcome.ts';
import { planRuns } from '../../scenario/plan-runs.ts';
import { titleOf } from '../../scenario/report/test-run.ts';
import type { UnreadableScenario } from '../../scenario/report/test-run.ts';
import { runAll } from '../../scenario/run-all.ts';
import type { Parts } from '../command.ts';
import { goldenFiles, wantsOf } from './test-choices.ts';
import type { TestOptions } from './test-options.ts';
import { writeStepTrace } from './test-traces.ts';

/** The part of the work that one thread does. */
export interface WorkerTask {
  readonly files: readonly string[];
  readonly options: Pick<TestOptions, 'filter' | 'clock' | 'failFast' | 'update' | 'traceDir'>;
  /** One number, not 0 once nothing more is to be begun. */
  readonly over: Int32Array;
}

/** What a thread tells. */
export type WorkerWord =
  | {
      readonly type: 'planned';
      readonly runs: number;
      readonly leftOut: number;
      readonly unreadable: readonly UnreadableScenario[];
    }
  | { readonly type: 'started'; readonly title: string }
  | { readonly type: 'outcome'; readonly outcome: ScenarioOutcome }
  | { readonly type: 'bug'; readonly text: string };

/** Runs the task this thread was started with. */
export async function runTestWorker(createWorlds: Parts['createWorlds']): Promise<void> {
  const { files, options, over } = workerData as WorkerTask; // Made by test-threads.ts alone.
  const say = (word: WorkerWord): void => parentPort?.postMessage(word);
  const { runs, leftOut, unreadable } = await planRuns(files, {
    wants: wantsOf(options.filter),
    shard: { index: 1, count: 1 },
    clock: options.clock,
  });
  say({ type: 'planned', runs: runs.length, leftOut, unreadable });
  const worlds = await createWorlds((error) =>
    say({ type: 'bug', text: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
  await runAll(runs, worlds, {
    parallel: 1,
    failFast: options.failFast,
    isOver: () => Atomics.load(over, 0) !== 0,
    on: 'kadmit',
    goldens: goldenFiles(options.update),
    now: () => performance.now(),
    onStart: (run) => say({ type: 'started', title: titleOf(run) }),
    onOutcome: (outcome) => say({ type: 'outcome', outcome: needed(outcome, options.traceDir) }),
    onAnswer: (run, step, { trace }) => {
      if (options.traceDir !== '' && trace) writeStepTrace(options.traceDir, run, step, trace);
    },
  });
  await worlds.close();
}

/** Only failures are explained, and kept with what went before; other traces would cost more to hand over than to make. */
const needed = (outcome: ScenarioOutcome, traceDir: string): ScenarioOutcome =>
  traceDir !== '' && outcome.outcome !== 'passed'
    ? outcome
    : {
        ...outcome,
        steps: outcome.steps.map((step) => (step.outcome === 'failed' ? step : { ...step, trace: undefined })),
      };
