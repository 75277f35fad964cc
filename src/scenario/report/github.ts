import { findingsOf } from './findings.ts';
import type { TestRun } from './test-run.ts';

/**
 * Workflow commands that GitHub shows at the lines of the files.
 * Follows docs.github.com/actions/reference/workflow-commands-for-github-actions.
 */
export const githubReport = (run: TestRun): string =>
  findingsOf(run)
    .map(({ title, message, place: { file, line, column } }) => {
      const properties = [`file=${property(file)}`, `line=${line}`, `col=${column}`, `title=${property(title)}`];
      return `::error ${properties.join(',')}::${data(message)}\n`;
    })
    .join('');

const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
