import {
  branchesTaken,
  type ExpressionCoverage,
  type PartCoverage,
} from '../../../explain/trace/expression-coverage.ts';
import type { Coverage } from '../../../explain/trace/coverage.ts';

/** For `kadmit test --coverage`. */
export function coverageText({ webhooks, policies }: Coverage): string {
  const subjects = [
    ...policies.map((one) => ({
      title: `policy ${one.name} (${one.phase})`,
      counts: countsText(one.considered, one.outcomes),
      expressions: [...one.conditions, ...one.variables, ...one.validations],
      unmatched: [],
    })),
    ...webhooks.map((one) => ({
      title: `webhook ${one.name} (${one.phase}, ${one.configuration})`,
      counts: countsText(one.considered, one.outcomes),
      expressions: one.conditions,
      unmatched: one.rules.filter(({ matched }) => matched === 0).map(({ rule }) => rule),
    })),
  ];
  if (subjects.length === 0) return 'coverage: no step met a webhook or policy';
  const { taken, all } = branchesTaken(subjects.flatMap(({ expressions }) => expressions));
  return [
    'coverage',
    ...subjects.flatMap(({ title, counts, expressions, unmatched }) => [
      `  ${title}: ${counts}`,
      ...expressions.flatMap(expressionLines),
      ...unmatched.map((rule) => `    ○ rule ${rule} matched nothing`),
    ]),
    `  ${taken} of ${all} branches of expressions were taken`,
  ].join('\n');
}

function countsText(considered: number, outcomes: Readonly<Record<string, number>>): string {
  const counts = Object.entries(outcomes).filter(([, count]) => count > 0);
  return considered === 0 ? 'not considered' : counts.map(([name, count]) => `${name} ${count}`).join(', ');
}

function expressionLines({ name, evaluated, parts }: ExpressionCoverage): readonly string[] {
  if (evaluated === 0) return [`    ○ ${name} was never evaluated`];
  const missing = parts.flatMap((part) => missingOf(part) ?? []);
  return [`    ${missing.length === 0 ? '✓' : '○'} ${name}`, ...missing.map((line) => `        ${line}`)];
}

/** undefined when it was true and false. */
function missingOf({ role, expression, ...counts }: PartCoverage): string | undefined {
  if (counts.true > 0 && counts.false > 0) return undefined;
  const where = role === 'element' ? ' for any element' : '';
  if (counts.true + counts.false + counts.error === 0) return `never reached${where}: ${expression}`;
  if (counts.true + counts.false === 0) return `nothing but errors: ${expression}`;
  return `never ${counts.true === 0 ? 'true' : 'false'}${where}: ${expression}`;
}
