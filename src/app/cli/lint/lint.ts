import { ConfigError } from '../../../adapters/config/config-error.ts';
import { flagLines, parseFlags, spelledOut } from '../../../adapters/config/flags/flags.ts';
import { lintSeverities, lintRules } from '../../../analysis/lint/finding.ts';
import type { LintFinding, LintSeverity } from '../../../analysis/lint/finding.ts';
import { ignoresIn, lint as lintObjects } from '../../../analysis/lint/lint.ts';
import type { LintResult } from '../../../analysis/lint/lint.ts';
import { createPage } from '../../../explain/render/explain-page.ts';
import type { Style } from '../../../explain/render/explain-page.ts';
import { didYouMean } from '../../../machinery/nearest-name.ts';
import { yamlText } from '../../../testing/scenario/expect/yaml-text.ts';
import { placeText, problemLines } from '../../../testing/scenario/read/problems.ts';
import type { Finding } from '../../../testing/scenario/report/findings.ts';
import { githubLines } from '../../../testing/scenario/report/github.ts';
import { sarifOf } from '../../../testing/scenario/report/sarif.ts';
import { exitCodes, usageError } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { structured } from '../terminal/structured.ts';
import { ownTerminal } from '../terminal/terminal.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { version } from '../version.ts';
import { gather } from './gather.ts';
import { lintFlags } from './lint-options.ts';
import type { LintOptions } from './lint-options.ts';

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
          descriptionOf: (rule) => `docs/reference/lint.md#${rule}`,
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
    'definitions among the files, for what will hurt in a cluster. docs/reference/lint.md has a paragraph for each rule.',
    '# kadmit-ignore: RULE behind a field, or on the line before what it is in, keeps a finding quiet.',
    'Exit codes: 0 nothing found, 1 something found (--fail-on), 2 a file that cannot be read.',
    '',
    ...flagLines(lintFlags),
  ].join('\n');

/** What `kadmit lint -o json` prints; docs/reference/lint.schema.json describes it. */
export const lintDocument = ({ findings, ignored }: LintResult, looked: number): object => ({
  lintVersion: 1,
  objects: looked,
  ignored,
  findings: findings.map(({ place, ...finding }) => ({
    ...finding,
    file: place.file,
    line: place.line,
    column: place.column,
  })),
});

/** A finding as reports that point at lines take it. */
export const reportedFinding = ({
  rule,
  severity,
  title,
  harm,
  remedy,
  patch,
  object,
  place,
}: LintFinding): Finding => ({
  rule,
  level: severity,
  title: `${object}: ${rule}`,
  message: [title, harm, remedy, ...(Object.keys(patch).length === 0 ? [] : [yamlText(patch).trimEnd()])].join('\n'),
  place,
});

const styles: Readonly<Record<LintSeverity, Style>> = { error: 'bad', warning: 'warn', note: 'quiet' };

/** The findings for people: where, what, why it hurts, what to write instead; the count last. `looked` is how many objects there were. */
export function lintText({ findings, ignored }: LintResult, looked: number, terminal: Terminal): string {
  const page = createPage({ width: terminal.width ?? Number.POSITIVE_INFINITY, paint: terminal.paint });
  for (const [finding, ...others] of alike(findings)) {
    findingLines(finding, others).forEach(([text, style, indent]) => page.item(text, style, indent));
    if (Object.keys(finding.patch).length > 0) {
      for (const line of yamlText(finding.patch).trimEnd().split('\n')) page.line(`      ${line}`, 'quiet');
    }
    page.line('');
  }
  page.line(summaryOf(findings, ignored, looked), findings.length === 0 ? 'good' : 'strong');
  return page.text();
}

type Alike = readonly [LintFinding, ...LintFinding[]];

const aboutOne = /^webhook (\S+) /;

/** What is said of several webhooks in the same words, and has nothing to apply, is told once: a Service that is not there. */
function alike(findings: readonly LintFinding[]): readonly Alike[] {
  const groups = new Map<string, [LintFinding, ...LintFinding[]]>();
  for (const [at, finding] of findings.entries()) {
    const { rule, severity, title, harm, patch } = finding;
    const isOwn = Object.keys(patch).length > 0 || !aboutOne.test(title);
    const key = isOwn ? String(at) : [rule, severity, harm, title.replace(aboutOne, '')].join('\n');
    const group = groups.get(key);
    if (group) group.push(finding);
    else groups.set(key, [finding]);
  }
  return [...groups.values()];
}

const nameOf = ({ title }: LintFinding): string => aboutOne.exec(title)?.[1] ?? title;

/** An object of a server has no line. */
const whereOf = ({ place }: LintFinding): string => (/^https?:/.test(place.file) ? place.file : placeText(place));

type Lines = readonly (readonly [text: string, style: Style, indent: number])[];

const findingLines = (finding: LintFinding, others: readonly LintFinding[]): Lines => [
  [`${whereOf(finding)}: ${finding.severity} ${finding.rule}: ${finding.title}`, styles[finding.severity], 0],
  [`in ${finding.object}${finding.field === '' ? '' : `, ${finding.field}`}`, 'quiet', 2],
  ...(others.length === 0 ? [] : [[`and so: ${others.map(nameOf).join(', ')}`, 'quiet', 2] as const]),
  [`harm: ${finding.harm}`, 'quiet', 2],
  [`instead: ${finding.remedy}`, 'quiet', 2],
];

function summaryOf(findings: readonly LintFinding[], ignored: number, looked: number): string {
  const counts = (['error', 'warning', 'note'] as const).flatMap((severity) => {
    const count = findings.filter((one) => one.severity === severity).length;
    return count === 0 ? [] : [`${count} ${severity}${count === 1 ? '' : 's'}`];
  });
  const quiet = ignored === 0 ? '' : ` (${ignored} ignored)`;
  return `${looked} ${looked === 1 ? 'object' : 'objects'}: ${counts.join(', ') || 'nothing to say'}${quiet}`;
}
