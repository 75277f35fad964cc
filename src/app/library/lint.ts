import { certificateChecks } from '../../analysis/lint/rules/certificates.ts';
import { ConfigError } from '../../adapters/config/config-error.ts';
import { ignoresIn, lint as lintObjects, type LintResult } from '../../analysis/lint/lint.ts';
import { readObjects } from '../../analysis/lint/read-objects.ts';
import { problemLines } from '../../testing/scenario/read/problems.ts';

/** The findings of `kadmit lint` for these files and folders, errors first. Throws ConfigError for an unreadable file. */
export function lint(...paths: readonly string[]): LintResult {
  const { objects, texts, problems } = readObjects(paths);
  if (problems.length > 0) throw new ConfigError(problemLines(problems).join('\n'));
  return lintObjects(objects, {
    isWhole: false,
    now: Date.now(),
    certificates: certificateChecks,
    ignores: ignoresIn(texts),
  });
}
