import { trimSpace } from '../../../machinery/go/strings.ts';
import { byteLength } from '../../../machinery/meta/names.ts';
import { expressionError, type ExpressionResult } from '../matching/expressions.ts';
import type { ValidationRecord } from '../chain/outcome.ts';
import type { ExpressionValue } from '../chain/skip-reason.ts';
import type { Validation } from './policy.ts';

/** One validation, or the whole policy when it ended early: then without a record. */
export type ValidationDecision = { readonly record?: ValidationRecord } & (
  | { readonly outcome: 'passed' }
  | { readonly outcome: 'failed'; readonly message: string; readonly reason: string }
  | { readonly outcome: 'error'; readonly message: string }
);

/** The result of an expression that was evaluated to its end. */
export type EvaluatedExpression = Exclude<ExpressionResult, { readonly outcome: 'out-of-budget' }>;

/** `evaluatedMessage` is the result of messageExpression. */
export function decide(
  validation: Validation,
  result: EvaluatedExpression,
  evaluatedMessage: EvaluatedExpression | undefined,
): ValidationDecision {
  const decision = decideWithoutBranches(validation, result, evaluatedMessage);
  const { record } = decision;
  const branches = 'branches' in result ? result.branches : undefined;
  return record && branches ? { ...decision, record: { ...record, branches } } : decision;
}

function decideWithoutBranches(
  validation: Validation,
  result: EvaluatedExpression,
  evaluatedMessage: EvaluatedExpression | undefined,
): ValidationDecision {
  const { expression } = validation;
  if (result.outcome !== 'value') {
    return failedValidation(validation, expressionError(expression, result), 'parts' in result ? result.parts() : []);
  }
  if (result.value === true) return { outcome: 'passed', record: { expression, result: 'true' } };
  const message = messageOf(validation, evaluatedMessage);
  return {
    outcome: 'failed',
    message,
    reason: validation.reason || 'Invalid',
    record: { expression, result: 'false', message, values: result.parts() },
  };
}

export const failedValidation = (
  { expression }: Validation,
  message: string,
  values: readonly ExpressionValue[],
): ValidationDecision => ({
  outcome: 'error',
  message,
  record: { expression, result: 'error', message, values },
});

const maxMessageLength = 5 * 1024;

/** messageExpression if usable, else `message`, else the expression (rule VAP-23). */
function messageOf({ message, expression }: Validation, evaluatedMessage: EvaluatedExpression | undefined): string {
  const text =
    evaluatedMessage?.outcome === 'value' && typeof evaluatedMessage.value === 'string'
      ? trimSpace(evaluatedMessage.value)
      : '';
  const isFit = byteLength(text) <= maxMessageLength && !text.includes('\n');
  return (isFit ? text : '') || message || `failed expression: ${trimSpace(expression)}`;
}
