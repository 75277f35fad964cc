import { errorText } from '../../../machinery/error-text.ts';
import { planRuns } from '../../../testing/scenario/plan-runs.ts';
import type { RunPlan } from '../../../testing/scenario/plan-runs.ts';
import { coverageText } from '../../../testing/scenario/report/coverage-text.ts';
import { titleOf, totalsOf } from '../../../testing/scenario/report/test-run.ts';
import type { TestRun } from '../../../testing/scenario/report/test-run.ts';
import { runAll } from '../../../testing/scenario/run-all.ts';
import type { Worlds } from '../../../testing/scenario/world.ts';
import { mergeCoverage } from '../../../explain/trace/merge-coverage.ts';
import { exitCodes } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { goldenFiles, limitsOf, wantsOf } from './test-choices.ts';
import { compareAll } from './test-compare.ts';
import type { TestOptions } from './test-options.ts';
import { outageOfAll } from './test-outage.ts';
import { isLive, writeReports } from './test-reports.ts';
import { createScreen } from './test-screen.ts';
import { openTarget, withTarget } from './test-target.ts';
import { writeFailedTraces, writeStepTrace } from './test-traces.ts';

export interface TestOutcome {
  readonly exitCode: number;
  readonly sources: RunPlan['sources'];
}

interface Surroundings {
  readonly options: TestOptions;
  readonly io: Io;
  readonly worlds: Worlds;
}

/** Reads and runs these scenarios and writes the reports. */
export async function runOnce(files: readonly string[], surroundings: Surroundings): Promise<TestOutcome> {
  const { options, io } = surroundings;
  const { filter, shard, clock, kubernetesVersion, noScripts } = options;
  const plan = await planRuns(files, { wants: wantsOf(filter), shard, clock, kubernetesVersion, noScripts });
  const { sources } = plan;
  const tell = (text: string): void => io.error(`kadmit test: ${text}`);
  plan.notes.forEach(tell);
  tellScriptless(plan.scriptless, tell);
  if (plan.runs.length + plan.unreadable.length === 0) return { exitCode: noneWanted(plan, io), sources };
  if (options.outage) return { exitCode: await outageOfAll(plan, surroundings), sources };
  if (options.compareWith !== '') return { exitCode: await compareAll(plan, surroundings), sources };
  const run = await runThere(plan, surroundings);
  return { exitCode: await finish(run, surroundings), sources };
}

/** Says that nothing is left to run; returns the exit code. */
export function noneWanted({ leftOut, scriptless }: Pick<RunPlan, 'leftOut' | 'scriptless'>, io: Io): number {
  if (leftOut > 0 || scriptless.length === 0) {
    io.error(`kadmit test: none of the ${leftOut} scenarios is wanted by --filter and --shard`);
  }
  return exitCodes.usage;
}

/** Says which scenarios `--no-scripts` leaves out. */
export function tellScriptless(files: readonly string[], tell: (text: string) => void): void {
  for (const file of files) tell(`${file} needs a script and is not run (--no-scripts)`);
}

/** Writes the reports of a run that is over and, into `--trace-dir`, what failed; resolves with the exit code. */
export async function finish(run: TestRun, { options, io }: Pick<Surroundings, 'options' | 'io'>): Promise<number> {
  const coverages = run.outcomes.flatMap(({ coverage }) => coverage ?? []);
  if (options.coverage && isLive(options.report)) io.out(`\n${coverageText(mergeCoverage(coverages))}`);
  const problem = writeReports(run, options.report, io.out) ?? (await traceProblem(run, options.traceDir, io));
  if (problem === undefined) return exitCodeOf(run);
  io.error(`kadmit test: ${problem}`);
  return exitCodes.usage;
}

/** Says where the traces of failed scenarios are; resolves with what went wrong. */
async function traceProblem({ outcomes }: TestRun, folder: string, io: Io): Promise<string | undefined> {
  if (folder === '') return undefined;
  try {
    for (const file of await writeFailedTraces(folder, outcomes)) {
      io.error(`what failed, to be opened in any browser: ${file}`);
    }
    return undefined;
  } catch (error) {
    return `--trace-dir ${folder}: ${errorText(error)}`;
  }
}

/** Runs the plan in kadmit, or on the server of `--target`, where scenarios would get in each other's way. */
async function runThere(plan: RunPlan, surroundings: Surroundings): Promise<TestRun> {
  const { options } = surroundings;
  if (options.target === '') return runPlan(plan, surroundings, 'kadmit');
  const target = await openTarget('--target', options.target, options.stubAddress);
  return withTarget(target, surroundings.io, (worlds) =>
    runPlan(plan, { ...surroundings, worlds, options: { ...options, parallel: 1 } }, 'target'),
  );
}

async function runPlan(
  plan: RunPlan,
  { options, io, worlds }: Surroundings,
  on: 'kadmit' | 'target',
): Promise<TestRun> {
  const screen = createScreen(options, io);
  plan.unreadable.forEach(screen.unreadable);
  const startedAt = Date.now();
  const start = performance.now();
  const outcomes = await runAll(plan.runs, worlds, {
    parallel: options.parallel,
    failFast: options.failFast,
    on,
    goldens: goldenFiles(options.update),
    limits: limitsOf(options),
    coverage: options.coverage,
    now: () => performance.now(),
    onStart: (run) => screen.running(titleOf(run), plan.runs.length),
    onOutcome: screen.over,
    onAnswer: (run, step, { trace }) => {
      if (options.traceDir !== '' && trace) writeStepTrace(options.traceDir, run, step, trace);
    },
  });
  const run: TestRun = {
    startedAt,
    milliseconds: performance.now() - start,
    outcomes,
    unreadable: plan.unreadable,
    notRun: plan.runs.length - outcomes.length,
  };
  screen.summary(run);
  return run;
}

function exitCodeOf(run: TestRun): number {
  const { unreadable, failed, broken } = totalsOf(run);
  if (unreadable > 0) return exitCodes.usage;
  return failed + broken > 0 || run.ended !== undefined ? exitCodes.failed : exitCodes.fine;
}
