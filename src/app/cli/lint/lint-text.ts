import { createPage } from '../../../explain/render/explain-page.ts';
import type { Style } from '../../../explain/render/explain-page.ts';
import type { LintFinding, LintSeverity } from '../../../analysis/lint/finding.ts';
import type { LintResult } from '../../../analysis/lint/lint.ts';
import { yamlText } from '../../../testing/scenario/expect/yaml-text.ts';
import { placeText } from '../../../testing/scenario/read/problems.ts';
import type { Terminal } from '../terminal/terminal.ts';

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
