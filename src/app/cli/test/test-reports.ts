import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { errorText } from '../../../machinery/errors.ts';
import { makeFolder } from '../../../machinery/files/make-folder.ts';
import type { ScenarioOutcome } from '../../../testing/scenario/outcome.ts';
import type { RunPlan } from '../../../testing/scenario/plan-runs.ts';
import { githubReport } from '../../../testing/scenario/report/github.ts';
import { jsonReport } from '../../../testing/scenario/report/json.ts';
import { junitReport } from '../../../testing/scenario/report/junit.ts';
import {
  prettyOutcome,
  prettyReport,
  prettySummary,
  prettyUnreadable,
} from '../../../testing/scenario/report/pretty.ts';
import { sarifReport } from '../../../testing/scenario/report/sarif.ts';
import { tapReport } from '../../../testing/scenario/report/tap.ts';
import type { TestRun, UnreadableScenario } from '../../../testing/scenario/report/test-run.ts';
import { version } from '../package-file.ts';
import type { Io } from '../terminal/io.ts';
import { createLiveLine, ownTerminal } from '../terminal/terminal.ts';
import type { ReportKind, TestOptions, WantedReport } from './test-flags.ts';

const reports: Readonly<Record<ReportKind, (run: TestRun) => string>> = {
  pretty: prettyReport,
  junit: junitReport,
  tap: tapReport,
  json: jsonReport,
  github: githubReport,
  sarif: (run) => sarifReport(run, { version: version(), folder: process.cwd() }),
};

/** Whether `pretty` goes to standard output: unless another report does. */
export const isLive = (wanted: readonly WantedReport[]): boolean => {
  const there = wanted.filter(({ file }) => file === '').map(({ kind }) => kind);
  return there.length === 0 || there.includes('pretty');
};

/** `pretty` on standard output is already printed. Returns the problem. */
export function writeReports(
  run: TestRun,
  wanted: readonly WantedReport[],
  out: (text: string) => void,
): string | undefined {
  for (const { kind, file } of wanted) {
    if (file === '' && kind === 'pretty') continue;
    const text = reports[kind](run);
    if (file === '') {
      if (text !== '') out(text.trimEnd());
      continue;
    }
    try {
      makeFolder(dirname(file), 0o777);
      writeFileSync(file, text);
    } catch (error) {
      return `--report ${kind}=${file}: ${errorText(error)}`;
    }
  }
  return undefined;
}

/** Progress while scenarios run: a line for each result, and in a terminal the running one. */
export interface Screen {
  readonly unreadable: (scenario: UnreadableScenario) => void;
  /** `total` is undefined before planning. */
  readonly running: (title: string, total: number | undefined) => void;
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
  return {
    unreadable: (scenario) => print(prettyUnreadable(scenario, paint)),
    running: (title, total) => line.show(`${done}${total === undefined ? '' : `/${total}`}  ${title}`),
    over: (outcome) => {
      done += 1;
      print(prettyOutcome(outcome, paint));
    },
    summary: (run) => print(prettySummary(run, paint)),
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
        if (file === '') continue;
        write(file, `${text}\n`);
      }
    },
  };
}

function write(file: string, text: string): void {
  try {
    makeFolder(dirname(file), 0o777);
    writeFileSync(file, text);
  } catch (error) {
    throw new ConfigError(`--report ${file}: ${errorText(error)}`);
  }
}
