import { ConfigError } from '../../../adapters/config/config-error.ts';
import { ignoresIn } from '../../../analysis/lint/ignores.ts';
import { lintSeverities } from '../../../analysis/lint/finding.ts';
import { lint as lintObjects } from '../../../analysis/lint/lint.ts';
import type { LintResult } from '../../../analysis/lint/lint.ts';
import { lintRules } from '../../../analysis/lint/rule-table.ts';
import { problemLines } from '../../../testing/scenario/read/problems.ts';
import { didYouMean } from '../../../machinery/nearest-name.ts';
import { githubLines } from '../../../testing/scenario/report/github.ts';
import { sarifOf } from '../../../testing/scenario/report/sarif.ts';
import { flagLines } from '../../../adapters/config/flags/flag-help.ts';
import { parseFlags, spelledOut } from '../../../adapters/config/flags/flags.ts';
import { exitCodes, usageError } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { ownTerminal } from '../terminal/terminal.ts';
import { version } from '../version.ts';
import { gather } from './gather.ts';
import { lintDocument, reportedFinding } from './lint-document.ts';
import { lintFlags } from './lint-options.ts';
import type { LintOptions } from './lint-options.ts';
import { lintText } from './lint-text.ts';
import { structured } from '../terminal/structured.ts';

/** `kadmit lint PATH…`: faults of webhook configurations and policies, before they are in a cluster; exit code 1 when there are any. */
export async function lint(args: readonly string[], io: Io): Promise<number> {
  const parsed = parseFlags(lintFlags, spelledOut(args, { o: 'output' }));
  if (parsed.outcome === 'help') {
    io.out(help());
    return exitCodes.fine;
  }
  if (parsed.outcome === 'usage') return usageError(io, 'lint', parsed.problem);
  const { options, rest } = parsed;
  const problem = usageProblem(options, rest);
  if (problem !== undefined) return usageError(io, 'lint', problem);
  try {
    return await lintThese(rest, options, io);
  } catch (error) {
    if (error instanceof ConfigError) return usageError(io, 'lint', error.message);
    throw error;
  }
}

function usageProblem({ ignore, kubeconfig }: LintOptions, paths: readonly string[]): string | undefined {
  if (paths.length === 0 && kubeconfig === '')
    return 'what? kadmit lint PATH…, helm template … | kadmit lint -, or --kubeconfig FILE';
  const unknown = ignore.find((rule) => !lintRules.some((one) => one === rule));
  return unknown === undefined ? undefined : `--ignore: there is no rule ${unknown}${didYouMean(unknown, lintRules)}`;
}

async function lintThese(paths: readonly string[], options: LintOptions, io: Io): Promise<number> {
  const read = await gather(paths, options.kubeconfig);
  for (const line of problemLines(read.problems)) io.error(line);
  const { objects } = read;
  const ignored = new Set(options.ignore);
  const comments = ignoresIn(read.texts);
  const result = lintObjects(objects, {
    isWhole: options.kubeconfig !== '',
    now: Date.now(),
    ignores: (rule, places) => ignored.has(rule) || comments(rule, places),
  });
  await print(result, objects.length, options, io);
  if (read.problems.length > 0) return exitCodes.usage;
  return isFailed(result, options) ? exitCodes.failed : exitCodes.fine;
}

async function print(result: LintResult, looked: number, { output }: LintOptions, { out }: Io): Promise<void> {
  const findings = result.findings.map(reportedFinding);
  switch (output) {
    case 'text':
      return out(lintText(result, looked, ownTerminal()));
    case 'json':
    case 'yaml':
      return out(await structured(output, JSON.stringify(lintDocument(result, looked), null, 2)));
    case 'github':
      return findings.length === 0 ? undefined : out(githubLines(findings).trimEnd());
    case 'sarif':
      return out(
        sarifOf(findings, {
          version: version(),
          folder: process.cwd(),
          descriptionOf: (rule) => `docs/lint.md#${rule}`,
        }).trimEnd(),
      );
  }
}

function isFailed({ findings }: LintResult, { failOn }: LintOptions): boolean {
  if (failOn === 'never') return false;
  const limit = lintSeverities.indexOf(failOn);
  return findings.some(({ severity }) => lintSeverities.indexOf(severity) <= limit);
}

const help = (): string =>
  [
    'usage: kadmit lint PATH... [FLAGS]',
    '       helm template CHART | kadmit lint -',
    '       kadmit lint --kubeconfig FILE',
    '',
    'Looks at webhook configurations, policies and bindings, together with the Services, workloads, Namespaces, Secrets and',
    'definitions among the files, for what will hurt in a cluster. docs/lint.md has a paragraph for each rule.',
    '# kadmit-ignore: RULE behind a field, or on the line before what it is in, keeps a finding quiet.',
    'Exit codes: 0 nothing found, 1 something found (--fail-on), 2 a file that cannot be read.',
    '',
    ...flagLines(lintFlags),
  ].join('\n');
