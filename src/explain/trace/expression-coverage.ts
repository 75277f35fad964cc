import type { BranchCounts } from '../../apiserver/admission/chain/skip-reason.ts';
import { asObject, asString, type JsonValue } from '../../machinery/json/json.ts';

/** The results of a deciding part of an expression. */
export type PartCoverage = NonNullable<BranchCounts['branches']>[number];

/** The results of an expression over some requests. */
export interface ExpressionCoverage {
  /** Of a condition or variable; else the position: `validations[0]`. */
  readonly name: string;
  readonly expression: string;
  readonly evaluated: number;
  readonly true: number;
  readonly false: number;
  readonly error: number;
  /** Empty unless branches are counted (`--coverage`). */
  readonly parts: readonly PartCoverage[];
}

/** A variable has no result, since it need not be a bool. */
export interface EvaluationRecord extends BranchCounts {
  readonly result?: string;
}

export function expressionCoverage(
  name: string,
  entry: JsonValue,
  records: readonly EvaluationRecord[],
): ExpressionCoverage {
  const times = (result: string): number => records.filter((one) => one.result === result).length;
  return {
    name,
    expression: asString(asObject(entry)['expression']),
    evaluated: records.length,
    true: times('true'),
    false: times('false'),
    error: times('error'),
    parts: addParts(records.map(({ branches = [] }) => branches)),
  };
}

/** Adds up the counts of one expression. */
export function addParts(lists: readonly (readonly PartCoverage[])[]): readonly PartCoverage[] {
  const counted = lists.filter((list) => list.length > 0);
  return (counted[0] ?? []).map(({ role, expression }, index) => {
    const sum = (key: 'true' | 'false' | 'error'): number =>
      counted.reduce((total, list) => total + (list[index]?.[key] ?? 0), 0);
    return { role, expression, true: sum('true'), false: sum('false'), error: sum('error') };
  });
}

/** Each evaluated expression has at least one branch when branches are counted. */
export function branchText(expressions: readonly Pick<ExpressionCoverage, 'parts' | 'evaluated'>[]): string {
  const { taken, all } = branchesTaken(expressions);
  if (all > 0) return `${taken} of ${all} branches taken`;
  return expressions.some(({ evaluated }) => evaluated > 0)
    ? 'branches are counted with --coverage'
    : 'no condition, variable or validation was evaluated: there are no branches';
}

/** Each part has two branches: true and false. */
export function branchesTaken(expressions: readonly Pick<ExpressionCoverage, 'parts'>[]): {
  readonly taken: number;
  readonly all: number;
} {
  const parts = expressions.flatMap((one) => one.parts);
  const taken = parts.reduce((sum, part) => sum + Number(part.true > 0) + Number(part.false > 0), 0);
  return { taken, all: 2 * parts.length };
}
