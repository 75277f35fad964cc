import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorText } from '../../../machinery/error-text.ts';
import { githubReport } from '../../../testing/scenario/report/github.ts';
import { jsonReport } from '../../../testing/scenario/report/json.ts';
import { junitReport } from '../../../testing/scenario/report/junit.ts';
import { prettyReport } from '../../../testing/scenario/report/pretty.ts';
import { sarifReport } from '../../../testing/scenario/report/sarif.ts';
import { tapReport } from '../../../testing/scenario/report/tap.ts';
import type { TestRun } from '../../../testing/scenario/report/test-run.ts';
import type { ReportKind, WantedReport } from './test-options.ts';
import { version } from '../version.ts';

const reports: Readonly<Record<ReportKind, (run: TestRun) => string>> = {
  pretty: prettyReport,
  junit: junitReport,
  tap: tapReport,
  json: jsonReport,
  github: githubReport,
  sarif: (run) => sarifReport(run, { version: version(), folder: process.cwd() }),
};

/** Does `pretty` go to standard output while scenarios run? Unless another report was asked to go there. */
export const isLive = (wanted: readonly WantedReport[]): boolean => {
  const there = wanted.filter(({ file }) => file === '').map(({ kind }) => kind);
  return there.length === 0 || there.includes('pretty');
};

/** Reports that are one document each cannot share standard output. */
export function reportProblem(wanted: readonly WantedReport[]): string | undefined {
  const there = wanted.filter(({ file }) => file === '').map(({ kind }) => kind);
  const alone = there.find((kind) => kind !== 'pretty' && kind !== 'github');
  if (alone === undefined || there.length === 1) return undefined;
  return `--report ${alone} shares standard output with another report: give it a file, --report ${alone}=FILE`;
}

/** Writes the reports of a finished run; `pretty` on standard output is there already. Returns what went wrong. */
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
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    } catch (error) {
      return `--report ${kind}=${file}: ${errorText(error)}`;
    }
  }
  return undefined;
}
