import { type ReportedFinding, runFindings } from './findings.ts';
import type { TestRun } from './test-run.ts';

/** Workflow commands. Follows docs.github.com/actions/reference/workflow-commands-for-github-actions. */
export const githubReport = (run: TestRun): string => githubLines(runFindings(run));

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
