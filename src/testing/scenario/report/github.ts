import { type ReportedFinding, runFindings } from './findings.ts';
import { prettySummary } from './pretty.ts';
import type { TestRun } from './test-run.ts';

/** Workflow commands, then a summary line. Follows docs.github.com/actions/reference/workflow-commands-for-github-actions. */
export const githubReport = (run: TestRun): string => `${githubLines(runFindings(run))}${prettySummary(run).trim()}\n`;

/** Markdown for the page of a workflow run: the summary, and a row for each failure with the first line of its message. */
export function githubStepSummary(run: TestRun): string {
  const rows = runFindings(run).map(({ title, message, place: { file, line } }) =>
    [`${file}:${line}`, title, message.split('\n')[0] ?? ''].map(cell).join(' | '),
  );
  const table = ['Place | Scenario and step | Failure', '--- | --- | ---', ...rows].map((row) => `| ${row} |`);
  return ['### kadmit test', '', prettySummary(run).trim(), '', ...(rows.length === 0 ? [] : [...table, '']), ''].join(
    '\n',
  );
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '|': '&#124;',
  '`': '&#96;',
  '*': '&#42;',
  _: '&#95;',
};

const cell = (text: string): string =>
  text.replaceAll(/[&<>|`*_]/g, (sign) => entities[sign] ?? sign).replaceAll(/\s/g, ' ');

const commands = { error: 'error', warning: 'warning', note: 'notice' } as const;

export const githubLines = (findings: readonly ReportedFinding[]): string =>
  findings
    .map(({ level = 'error', title, message, place: { file, line, column } }) => {
      const properties = [`file=${property(file)}`, `line=${line}`, `col=${column}`, `title=${property(title)}`];
      return `::${commands[level]} ${properties.join(',')}::${data(message)}\n`;
    })
    .join('');

const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
