import { existsSync } from 'node:fs';
import { delimiter } from 'node:path';
import { issueCertificate } from '../../../adapters/certificates/issue-certificate.ts';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import { errorText } from '../../../machinery/errors.ts';
import { compareScenario, comparisonText } from '../../../testing/scenario/compare.ts';
import { outageText } from '../../../testing/scenario/outage/report.ts';
import type { Combination } from '../../../testing/scenario/matrix.ts';
import { runOutage } from '../../../testing/scenario/outage/run-outage.ts';
import { planRuns, type RunPlan } from '../../../testing/scenario/plan-runs.ts';
import { coverageText, belowThreshold, coverageOfRun } from '../../../testing/scenario/report/coverage.ts';
import { totalsOf, type TestRun } from '../../../testing/scenario/report/test-run.ts';
import { runAll } from '../../../testing/scenario/run-all.ts';
import { connectTarget, type TargetServer } from '../../../testing/scenario/target/target-worlds.ts';
import type { Worlds } from '../../../testing/scenario/world.ts';
import { exitCodes, usageError, type Io } from '../terminal/io.ts';
import { runOptions, selectionOf } from './test-worker.ts';
import { createDocumentWriter, createScreen, isLive, writeReports } from './test-reports.ts';
import type { TestOptions } from './test-flags.ts';
import { writeFailedTraces } from './test-traces.ts';

export interface TestOutcome {
  readonly exitCode: number;
  readonly sources: RunPlan['sources'];
}

interface TestEnvironment {
  readonly options: TestOptions;
  readonly io: Io;
  readonly worlds: Worlds;
}

export async function runOnce(files: readonly string[], environment: TestEnvironment): Promise<TestOutcome> {
  const { options, io } = environment;
  const plan = await planRuns(files, selectionOf(options));
  const { sources } = plan;
  const report = (text: string): void => io.error(`kadmit test: ${text}`);
  plan.notes.forEach(report);
  reportScriptless(plan.scriptless, report);
  if (plan.runs.length + plan.unreadable.length === 0) return { exitCode: reportNoneSelected(plan, io), sources };
  if (options.outage) return { exitCode: await runOutages(plan, environment), sources };
  if (options.compareWith !== '') return { exitCode: await compareWithTarget(plan, environment), sources };
  const run = await runOnTarget(plan, environment);
  // With --watch the next run may write its reports.
  const exitCode = await finish(run, environment).catch((error: unknown) => {
    if (error instanceof ConfigError) return usageError(io, 'test', error.message);
    throw error;
  });
  return { exitCode, sources };
}

/** Prints that no scenario is left to run; returns the exit code. */
export function reportNoneSelected({ leftOut, scriptless }: Pick<RunPlan, 'leftOut' | 'scriptless'>, io: Io): number {
  if (leftOut > 0 || scriptless.length === 0) {
    io.error(`kadmit test: none of the ${leftOut} scenarios is wanted by --filter and --shard`);
  }
  return exitCodes.usage;
}

/** Prints the scenarios that `--no-scripts` leaves out. */
export function reportScriptless(files: readonly string[], report: (text: string) => void): void {
  for (const file of files) report(`${file} needs a script and is not run (--no-scripts)`);
}

/** Writes the reports and, into `--trace-dir`, the failures; resolves with the exit code. Rejects with ConfigError. */
export async function finish(run: TestRun, { options, io }: Pick<TestEnvironment, 'options' | 'io'>): Promise<number> {
  const coverage = options.coverage ? (coverageOfRun(run) ?? { webhooks: [], policies: [] }) : undefined;
  if (coverage && isLive(options.report)) io.out(`\n${coverageText(coverage)}`);
  const below = coverage ? belowThreshold(coverage, options.coverageThreshold) : [];
  for (const line of below) io.error(`kadmit test: ${line}`);
  writeReports(run, options.report, io.out);
  if (options.traceDir !== '') await saveFailures(run, options.traceDir, io);
  const code = exitCodeOf(run);
  return code === exitCodes.fine && below.length > 0 ? exitCodes.failed : code;
}

async function saveFailures({ outcomes }: TestRun, folder: string, io: Io): Promise<void> {
  try {
    for (const file of await writeFailedTraces(folder, outcomes)) {
      io.error(`what failed, to be opened in any browser: ${file}`);
    }
  } catch (error) {
    throw new ConfigError(`--trace-dir ${folder}: ${errorText(error)}`);
  }
}

/** On the server of `--target` one by one: scenarios would disturb each other. */
async function runOnTarget(plan: RunPlan, environment: TestEnvironment): Promise<TestRun> {
  const { options } = environment;
  if (options.target === '') return runPlan(plan, environment, 'kadmit');
  const target = await openTarget('--target', options.target, options.stubAddress);
  return withTarget(target, environment.io, (worlds) =>
    runPlan(plan, { ...environment, worlds, options: { ...options, parallel: 1 } }, 'target'),
  );
}

async function runPlan(
  plan: RunPlan,
  { options, io, worlds }: TestEnvironment,
  on: 'kadmit' | 'target',
): Promise<TestRun> {
  const screen = createScreen(options, io);
  plan.unreadable.forEach(screen.unreadable);
  const startedAt = Date.now();
  const start = performance.now();
  const outcomes = await runAll(plan.runs, worlds, {
    ...runOptions(options),
    parallel: options.parallel,
    on,
    onStart: (run) => screen.running(run, plan.runs.length),
    onOutcome: screen.over,
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

/** `kadmit test --outage`: stops the backends of each scenario's webhooks and reports whether they can start again. */
const runOutages = (plan: RunPlan, environment: TestEnvironment): Promise<number> =>
  reportEach(plan, environment, {
    run: (combination) => runOutage(combination, environment.worlds),
    text: outageText,
    isFine: ({ outcome }) => outcome === 'recovers',
  });

/** `kadmit test --compare-with KUBECONFIG`: runs on both servers and reports different responses. */
async function compareWithTarget(plan: RunPlan, environment: TestEnvironment): Promise<number> {
  const { options, io, worlds: here } = environment;
  const target = await openTarget('--compare-with', options.compareWith, options.stubAddress);
  return withTarget(target, io, (there) =>
    reportEach(plan, environment, {
      run: ({ scenario, combination }) => compareScenario(scenario, { here, there, combination }),
      text: comparisonText,
      isFine: ({ outcome }) => outcome === 'same',
    }),
  );
}

interface Reporting<Report> {
  readonly run: (combination: Combination) => Promise<Report>;
  readonly text: (report: Report) => string;
  readonly isFine: (report: Report) => boolean;
}

/** Prints a report for each run of the plan; resolves with the exit code. */
async function reportEach<Report>(
  plan: RunPlan,
  { options, io }: TestEnvironment,
  { run, text, isFine }: Reporting<Report>,
): Promise<number> {
  const writer = createDocumentWriter(text, { options, io, plan });
  let allFine = true;
  for (const combination of plan.runs) {
    const report = await run(combination);
    allFine &&= isFine(report);
    writer.print(report);
  }
  writer.finish();
  if (plan.unreadable.length > 0) return exitCodes.usage;
  return allFine ? exitCodes.fine : exitCodes.failed;
}

/**
 * The server of a kubeconfig, for scenarios; it reaches this machine at `stubAddress`, '' for a local server.
 * Rejects with ConfigError for an unusable file or server.
 */
async function openTarget(flag: string, kubeconfig: string, stubAddress: string): Promise<TargetServer> {
  const missing = kubeconfig.split(delimiter).find((path) => path !== '' && !existsSync(path));
  if (missing !== undefined) throw new ConfigError(`${flag} ${missing}: there is no such file`);
  const stubs = stubAddress === '' ? {} : { stubHost: '0.0.0.0', stubName: stubAddress };
  const access = await readKubeconfig(kubeconfig);
  try {
    return await connectTarget({ access, issueCertificate, ...stubs });
  } catch (error) {
    throw new ConfigError(`${flag} ${kubeconfig}: ${errorText(error)}`);
  }
}

/**
 * Closes the target after the work, which removes the objects of scenarios; also after Ctrl-C, with exit code 130.
 * A second Ctrl-C leaves them.
 */
async function withTarget<T>(target: TargetServer, io: Io, work: (target: TargetServer) => Promise<T>): Promise<T> {
  const stop = (): void => {
    io.error('kadmit test: interrupted; what the scenario has made is removed, Ctrl-C again leaves it there');
    process.once('SIGINT', () => process.exit(interrupted));
    void target.close().finally(() => process.exit(interrupted));
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, stop);
  try {
    return await work(target);
  } finally {
    for (const signal of signals) process.off(signal, stop);
    await target.close();
  }
}

const interrupted = 130;
