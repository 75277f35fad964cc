import { appendFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { errorText } from '../../../machinery/errors.ts';
import { makeFolder } from '../../../adapters/files/portable-files.ts';
import type { ScenarioOutcome } from '../../../testing/scenario/outcome.ts';
import type { RunPlan } from '../../../testing/scenario/plan-runs.ts';
import { githubReport, githubStepSummary } from '../../../testing/scenario/report/github.ts';
import { jsonReport } from '../../../testing/scenario/report/json.ts';
import { junitReport } from '../../../testing/scenario/report/junit.ts';
import {
  prettyOutcome,
  prettyReport,
  prettySummary,
  prettyUnreadable,
} from '../../../testing/scenario/report/pretty.ts';
import {
  portableRun,
  runTitle,
  type TestRun,
  type UnreadableScenario,
} from '../../../testing/scenario/report/test-run.ts';
import { sarifReport } from '../../../testing/scenario/report/sarif.ts';
import { tapReport } from '../../../testing/scenario/report/tap.ts';
import { version } from '../package-file.ts';
import type { Io } from '../terminal/io.ts';
import { createLiveLine, ownTerminal } from '../terminal/terminal.ts';
import type { ReportKind, TestOptions, RequestedReport } from './test-flags.ts';

const reports: Readonly<Record<ReportKind, (run: TestRun) => string>> = {
  pretty: prettyReport,
  junit: junitReport,
  tap: tapReport,
  json: jsonReport,
  github: githubReport,
  sarif: (run) => sarifReport(run, { version: version(), folder: process.cwd() }),
};

/** Whether `pretty` goes to standard output: unless another report does. */
export const isLive = (wanted: readonly RequestedReport[]): boolean => {
  const there = wanted.filter(({ file }) => file === '').map(({ kind }) => kind);
  return there.length === 0 || there.includes('pretty');
};

/**
 * `pretty` on standard output is already printed. `github` also writes the summary of the step in a workflow. Throws
 * ConfigError when a file cannot be written.
 */
export function writeReports(run: TestRun, wanted: readonly RequestedReport[], out: (text: string) => void): void {
  const portable = portableRun(run);
  const { GITHUB_STEP_SUMMARY: stepSummary = '' } = process.env;
  if (stepSummary !== '' && wanted.some(({ kind }) => kind === 'github')) {
    try {
      appendFileSync(stepSummary, githubStepSummary(portable));
    } catch (error) {
      throw new ConfigError(`GITHUB_STEP_SUMMARY=${stepSummary}: ${errorText(error)}`);
    }
  }
  for (const { kind, file } of wanted) {
    if (file === '' && kind === 'pretty') continue;
    const text = reports[kind](portable);
    if (file !== '') writeReport(`${kind}=${file}`, file, text);
    else if (text !== '') out(text.trimEnd());
  }
}

type RunOfScenario = Pick<ScenarioOutcome, 'scenario' | 'combination'>;

/** Passes on the outcomes of each file in the order in which they started, which is that of its matrix. */
function createStartOrder(print: (outcome: ScenarioOutcome) => void): {
  readonly started: (run: RunOfScenario) => void;
  readonly over: (outcome: ScenarioOutcome) => void;
  readonly end: () => void;
} {
  const files = new Map<string, Map<string, ScenarioOutcome | undefined>>();
  const waitingOf = ({ scenario: { file } }: RunOfScenario): Map<string, ScenarioOutcome | undefined> => {
    const waiting = files.get(file) ?? new Map<string, ScenarioOutcome | undefined>();
    files.set(file, waiting);
    return waiting;
  };
  return {
    started: (run) => {
      const waiting = waitingOf(run);
      if (!waiting.has(run.combination)) waiting.set(run.combination, undefined);
    },
    over: (outcome) => {
      const waiting = waitingOf(outcome);
      waiting.set(outcome.combination, outcome);
      for (const [combination, ended] of waiting) {
        if (ended === undefined) return;
        waiting.delete(combination);
        print(ended);
      }
    },
    end: () => {
      for (const waiting of files.values())
        for (const outcome of waiting.values()) if (outcome !== undefined) print(outcome);
    },
  };
}

/** Progress while scenarios run: a line for each result, and in a terminal the running one. */
export interface Screen {
  readonly unreadable: (scenario: UnreadableScenario) => void;
  /** `total` is undefined before planning. */
  readonly running: (run: RunOfScenario, total: number | undefined) => void;
  readonly over: (outcome: ScenarioOutcome) => void;
  readonly summary: (run: TestRun) => void;
}

export function createScreen({ report }: Pick<TestOptions, 'report'>, io: Io): Screen {
  const { paint } = ownTerminal();
  const line = createLiveLine(process.stderr);
  const live = isLive(report);
  let done = 0;
  const print = (text: string): void => {
    line.clear();
    if (live) io.out(text);
  };
  const order = createStartOrder((outcome) => print(prettyOutcome(outcome, paint)));
  return {
    unreadable: (scenario) => print(prettyUnreadable(scenario, paint)),
    running: (run, total) => {
      order.started(run);
      line.show(`${done}${total === undefined ? '' : `/${total}`}  ${runTitle(run)}`);
    },
    over: (outcome) => {
      done += 1;
      order.over(outcome);
    },
    summary: (run) => {
      order.end();
      print(prettySummary(run, paint));
    },
  };
}

/** Prints each result at once, or all as JSON in `finish`. */
export interface DocumentWriter<T> {
  readonly print: (one: T) => void;
  readonly finish: () => void;
}

/** Throws ConfigError when a file cannot be written. */
export function createDocumentWriter<T>(
  textOf: (one: T) => string,
  { options, io, plan }: { readonly options: TestOptions; readonly io: Io; readonly plan: RunPlan },
): DocumentWriter<T> {
  const all: T[] = [];
  const isJson = options.report.some(({ kind, file }) => kind === 'json' && file === '');
  for (const one of plan.unreadable) io.error(prettyUnreadable(one).trimEnd());
  return {
    print: (one) => {
      all.push(one);
      if (!isJson) io.out(`${all.length > 1 ? '\n' : ''}${textOf(one)}`);
    },
    finish: () => {
      for (const { kind, file } of options.report) {
        const text = kind === 'json' ? JSON.stringify(all, null, 2) : all.map(textOf).join('\n\n');
        if (file === '' && kind === 'json') io.out(text);
        if (file !== '') writeReport(file, file, `${text}\n`);
      }
    },
  };
}

function writeReport(report: string, file: string, text: string): void {
  try {
    makeFolder(dirname(file), 0o777);
    writeFileSync(file, text);
  } catch (error) {
    throw new ConfigError(`--report ${report}: ${errorText(error)}`);
  }
}
