import type { Coverage } from '../../../explain/trace/coverage.ts';
import {
  branchesTaken,
  type ExpressionCoverage,
  type PartCoverage,
} from '../../../explain/trace/expression-coverage.ts';
import { mergeCoverage } from '../../../explain/trace/coverage.ts';
import type { TestRun } from './test-run.ts';

export const coverageMeasures = ['webhooks', 'policies', 'rules', 'branches'] as const;
export type CoverageMeasure = (typeof coverageMeasures)[number];

export interface CoverageCount {
  readonly covered: number;
  readonly all: number;
}

/** A measure, or all of them, and its lowest percentage. */
export interface CoverageThreshold {
  readonly measure: CoverageMeasure | 'all';
  readonly percent: number;
}

/** Of all scenarios together; undefined without the option `coverage`. */
export function coverageOfRun({ outcomes }: TestRun): Coverage | undefined {
  const coverages = outcomes.flatMap(({ coverage }) => coverage ?? []);
  return coverages.length === 0 ? undefined : mergeCoverage(coverages);
}

/**
 * Covered are webhooks that were called and policies that were evaluated, rules of webhooks that matched, and branches of
 * expressions that were taken.
 */
export function coverageTotals({ webhooks, policies }: Coverage): Readonly<Record<CoverageMeasure, CoverageCount>> {
  const rules = webhooks.flatMap((one) => one.rules);
  const expressions = [
    ...policies.flatMap((one) => [...one.conditions, ...one.variables, ...one.validations]),
    ...webhooks.flatMap((one) => one.conditions),
  ];
  const branches = branchesTaken(expressions);
  return {
    webhooks: countCovered(webhooks, isMatched),
    policies: countCovered(policies, isMatched),
    rules: countCovered(rules, ({ matched }) => matched > 0),
    branches: { covered: branches.taken, all: branches.all },
  };
}

const countCovered = <T>(list: readonly T[], isCovered: (one: T) => boolean): CoverageCount => ({
  covered: list.filter(isCovered).length,
  all: list.length,
});

interface Considered {
  readonly considered: number;
  readonly outcomes: Readonly<Partial<Record<string, number>>>;
}

const isMatched = ({ considered, outcomes }: Considered): boolean => considered > (outcomes['skipped'] ?? 0);

/** A line for each measure below its threshold. A measure without anything to cover is not below. */
export function belowThreshold(coverage: Coverage, thresholds: readonly CoverageThreshold[]): readonly string[] {
  const totals = coverageTotals(coverage);
  return coverageMeasures.flatMap((measure) => {
    const named = thresholds.findLast((one) => one.measure === measure);
    const { percent } = named ?? thresholds.findLast((one) => one.measure === 'all') ?? { percent: 0 };
    const { covered, all } = totals[measure];
    if (covered * 100 >= percent * all) return [];
    const reached = Math.floor((covered * 1000) / all) / 10;
    return [`coverage of ${measure} is ${reached}% (${covered} of ${all}), below the threshold of ${percent}%`];
  });
}

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
  const missing = parts.flatMap((part) => missingBranch(part) ?? []);
  return [`    ${missing.length === 0 ? '✓' : '○'} ${name}`, ...missing.map((line) => `        ${line}`)];
}

/** undefined when it was true and false. */
function missingBranch({ role, expression, ...counts }: PartCoverage): string | undefined {
  if (counts.true > 0 && counts.false > 0) return undefined;
  const where = role === 'element' ? ' for any element' : '';
  if (counts.true + counts.false + counts.error === 0) return `never reached${where}: ${expression}`;
  if (counts.true + counts.false === 0) return `nothing but errors: ${expression}`;
  return `never ${counts.true === 0 ? 'true' : 'false'}${where}: ${expression}`;
}
