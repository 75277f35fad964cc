import { aggregateText } from '../../../machinery/errors.ts';
import { trimSpace } from '../../../machinery/go/strings.ts';
import { asList, asObject, asString, type JsonValue } from '../../../machinery/json/json.ts';
import type { ConditionRecord, SkipReason } from '../chain/skip-reason.ts';
import { expressionError, type ExpressionResult, outOfBudget } from './expressions.ts';
import type * as v1 from '../../../api/types/generated/admissionregistration-v1.ts';

export interface MatchCondition {
  readonly name: string;
  /** Trimmed, as upstream compiles it. */
  readonly expression: string;
}

export const readMatchConditions = (value: JsonValue | undefined): readonly MatchCondition[] =>
  asList(value).map((condition) => {
    const { name, expression }: v1.MatchCondition = asObject(condition);
    return { name: asString(name), expression: trimSpace(asString(expression)) };
  });

export type EvaluateCondition = (expression: string, budget: number) => ExpressionResult;

export type ConditionsOutcome = ConditionsDecision & { readonly conditions: readonly ConditionRecord[] };

type ConditionsDecision =
  | { readonly outcome: 'matched' }
  | { readonly outcome: 'skipped'; readonly reason: SkipReason }
  /** failurePolicy is Fail; the errors are one text. */
  | { readonly outcome: 'failed'; readonly error: string };

const matchConditionsBudget = 2_500_000;

export function evaluateMatchConditions(
  conditions: readonly MatchCondition[],
  failurePolicy: 'Fail' | 'Ignore',
  evaluate: EvaluateCondition,
): ConditionsOutcome {
  const records: ConditionRecord[] = [];
  const errors: string[] = [];
  let firstFalse: SkipReason | undefined;
  let budget = matchConditionsBudget;
  for (const { name: condition, expression } of conditions) {
    const result = evaluate(expression, budget);
    const record = recordOf(condition, result);
    records.push(record);
    if (result.outcome === 'out-of-budget') return { ...failed(outOfBudget, failurePolicy), conditions: records };
    if ('cost' in result) budget -= result.cost;
    if (record.result === 'false') {
      firstFalse ??= { because: 'matchCondition', condition, expression, values: record.values };
    }
    if (result.outcome !== 'value') errors.push(expressionError(expression, result));
  }
  if (firstFalse) return { outcome: 'skipped', reason: firstFalse, conditions: records };
  if (errors.length === 0) return { outcome: 'matched', conditions: records };
  return { ...failed(aggregateText(errors), failurePolicy), conditions: records };
}

function recordOf(condition: string, result: ExpressionResult): ConditionRecord {
  const record = uncountedRecord(condition, result);
  return 'branches' in result && result.branches !== undefined ? { ...record, branches: result.branches } : record;
}

function uncountedRecord(condition: string, result: ExpressionResult): ConditionRecord {
  switch (result.outcome) {
    case 'value':
      return result.value === true
        ? { condition, result: 'true' }
        : { condition, result: 'false', values: result.parts() };
    case 'error':
      return { condition, result: 'error', error: result.error, values: result.parts() };
    case 'uncompilable':
      return { condition, result: 'error', error: result.error, values: [] };
    case 'out-of-budget':
      return { condition, result: 'error', error: outOfBudget, values: [] };
  }
}

/** Under Ignore the webhook is skipped, and does not count as failing open (rule SEL-67). */
const failed = (error: string, failurePolicy: 'Fail' | 'Ignore'): ConditionsDecision =>
  failurePolicy === 'Fail'
    ? { outcome: 'failed', error }
    : { outcome: 'skipped', reason: { because: 'matchCondition-error', error } };
