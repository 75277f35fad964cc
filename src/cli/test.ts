import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { findScenarios } from '../scenario/find-scenarios.ts';
import { planRuns } from '../scenario/plan-runs.ts';
import type { RunPlan } from '../scenario/plan-runs.ts';
import { prettyOutcome, prettySummary, prettyUnreadable } from '../scenario/report/pretty.ts';
import { titleOf, totalsOf } from '../scenario/report/test-run.ts';
import type { TestRun } from '../scenario/report/test-run.ts';
import { runAll } from '../scenario/run-all.ts';
import type { Worlds } from '../scenario/world.ts';
import { ConfigError } from '../server-config.ts';
import type { Parts } from './command.ts';
import { parseFlags } from './flags.ts';
import { exitCodes } from './io.ts';
import type { Io } from './io.ts';
import { createLiveLine } from './live-line.ts';
import { ownTerminal } from './terminal.ts';
import { compareAll } from './test-compare.ts';
import { documentProblem } from './test-document.ts';
import { testFlags, testHelp } from './test-options.ts';
import type { TestOptions } from './test-options.ts';
import { outageOfAll } from './test-outage.ts';
import { isLive, reportProblem, writeReports } from './test-reports.ts';
import { openTarget } from './test-target.ts';
import { testReviews } from './test-reviews.ts';
import { writeStepTrace } from './test-traces.ts';
import { watchScenarios } from './test-watch.ts';

/** `kadmit test`: runs scenarios and says what failed and why. */
export async function test(args: readonly string[], io: Io, parts: Parts): Promise<number> {
  const parsed = parseFlags(testFlags, args);
  if (parsed.outcome === 'help') {
    io.out(testHelp());
    return exitCodes.fine;
  }
  const problem = parsed.outcome === 'usage' ? parsed.problem : usageProblem(parsed.options, parsed.rest);
  if (problem !== undefined || parsed.outcome === 'usage') {
    io.error(`kadmit test: ${problem ?? ''}`);
    return exitCodes.usage;
  }
  const { options, rest } = parsed;
  try {
    if (options.webhook !== '') return await testReviews(rest, options, { io, readYaml: parts.readYaml });
    return await testScenarios(rest, options, { io, createWorlds: parts.createWorlds });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    io.error(`kadmit test: ${error.message}`);
    return exitCodes.usage;
  }
}

async function testScenarios(
  paths: readonly string[],
  options: TestOptions,
  { io, createWorlds }: { readonly io: Io } & Pick<Parts, 'createWorlds'>,
): Promise<number> {
  const bugs: unknown[] = [];
  const worlds = await createWorlds((error) => {
    bugs.push(error);
    io.error(
      `kadmit test: this is a bug in kadmit: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
  });
  try {
    const once = (files: readonly string[]): Promise<Finished> => runOnce(files, { options, io, worlds });
    if (options.watch) {
      const written = [options.traceDir, ...options.report.map(({ file }) => file)].filter((path) => path !== '');
      return await watchScenarios({ paths, ignore: written }, once, io);
    }
    const found = findScenarios(paths);
    if (found.outcome === 'missing') throw new ConfigError(found.problem);
    const { exitCode } = await once(found.files);
    return exitCode === exitCodes.fine && bugs.length > 0 ? exitCodes.failed : exitCode;
  } finally {
    await worlds.close();
  }
}

function usageProblem(options: TestOptions, paths: readonly string[]): string | undefined {
  if (paths.length === 0) return 'no PATH given: kadmit test scenarios/, for example';
  const instead = [
    ...(options.target === '' ? [] : ['--target']),
    ...(options.compareWith === '' ? [] : ['--compare-with']),
    ...(options.outage ? ['--outage'] : []),
    ...(options.webhook === '' ? [] : ['--webhook']),
  ];
  if (options.webhook === '' && (options.ca !== '' || options.insecure)) return '--ca and --insecure are for --webhook';
  if (instead.length > 1) return `${instead.join(' and ')} cannot go together`;
  const [only] = instead;
  if (only === '--compare-with' || only === '--outage') return documentProblem(only, options);
  return reportProblem(options.report);
}

export interface Finished {
  readonly exitCode: number;
  readonly sources: RunPlan['sources'];
}

interface Surroundings {
  readonly options: TestOptions;
  readonly io: Io;
  readonly worlds: Worlds;
}

/** Reads and runs these scenarios and writes the reports. */
async function runOnce(files: readonly string[], surroundings: Surroundings): Promise<Finished> {
  const { options, io } = surroundings;
  const { filter, shard, clock } = options;
  const wants = (title: string, file: string): boolean =>
    filter === undefined || filter.test(title) || filter.test(file);
  const plan = await planRuns(files, { wants, shard, clock });
  if (plan.runs.length + plan.unreadable.length === 0) {
    io.error(`kadmit test: none of the ${plan.leftOut} scenarios is wanted by --filter and --shard`);
    return { exitCode: exitCodes.usage, sources: plan.sources };
  }
  const { sources } = plan;
  if (options.outage) return { exitCode: await outageOfAll(plan, surroundings), sources };
  if (options.compareWith !== '') return { exitCode: await compareAll(plan, surroundings), sources };
  const run = await runThere(plan, surroundings);
  const problem = writeReports(run, options.report, io.out);
  if (problem !== undefined) io.error(`kadmit test: ${problem}`);
  return { exitCode: problem === undefined ? exitCodeOf(run) : exitCodes.usage, sources: plan.sources };
}

/** Runs the plan in kadmit, or on the server of `--target`, where scenarios would get in each other's way. */
async function runThere(plan: RunPlan, surroundings: Surroundings): Promise<TestRun> {
  const { options } = surroundings;
  if (options.target === '') return runPlan(plan, surroundings, 'kadmit');
  const target = await openTarget('--target', options.target, options.stubAddress);
  try {
    return await runPlan(plan, { ...surroundings, worlds: target, options: { ...options, parallel: 1 } }, 'target');
  } finally {
    await target.close();
  }
}

async function runPlan(
  plan: RunPlan,
  { options, io, worlds }: Surroundings,
  on: 'kadmit' | 'target',
): Promise<TestRun> {
  const { paint } = ownTerminal();
  const line = createLiveLine(process.stderr);
  const print = (text: string): void => {
    line.clear();
    if (isLive(options.report)) io.out(text);
  };
  for (const one of plan.unreadable) print(prettyUnreadable(one, paint));
  const startedAt = Date.now();
  const start = performance.now();
  let done = 0;
  const outcomes = await runAll(plan.runs, worlds, {
    parallel: options.parallel,
    failFast: options.failFast,
    on,
    goldens: goldenFiles(options.update),
    now: () => performance.now(),
    onStart: (run) => line.show(`${done}/${plan.runs.length}  ${titleOf(run)}`),
    onOutcome: (outcome) => {
      done += 1;
      print(prettyOutcome(outcome, paint));
    },
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
  print(prettySummary(run, paint));
  return run;
}

const goldenFiles = (update: boolean) => ({
  read: (path: string): string | undefined => (existsSync(path) ? readFileSync(path, 'utf8') : undefined),
  write: update ? (path: string, text: string): void => writeFileSync(path, text) : undefined,
});

function exitCodeOf(run: TestRun): number {
  const { unreadable, failed, broken } = totalsOf(run);
  if (unreadable > 0) return exitCodes.usage;
  return failed + broken > 0 ? exitCodes.failed : exitCodes.fine;
}
