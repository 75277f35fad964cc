import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';
import type { GroupVersionKind } from '../../apimachinery/gvk.ts';
import { userInfoJson } from '../../auth/user.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import type { ConditionRecord, ExpressionValue, SkipReason } from '../outcome.ts';
import type { MatchCondition } from './configuration.ts';

/** What expressions may name. `authorizer` is made by the engine out of `asker`; `namespaceObject` is null for webhooks. */
export interface ConditionVariables {
  readonly object: JsonValue;
  readonly oldObject: JsonValue;
  readonly request: JsonObject;
  readonly namespaceObject: JsonValue;
  /** Whose permissions `authorizer` asks about, and the request that `authorizer.requestResource` is preset with. */
  readonly asker: AdmissionAttributes;
}

/** Evaluates one compiled expression; the engine keeps what it compiled. `budget` is what is left for all conditions. */
export type EvaluateCondition = (expression: string, variables: ConditionVariables, budget: number) => ConditionResult;

export type ConditionResult =
  | {
      readonly outcome: 'value';
      readonly value: boolean;
      readonly cost: number;
      /** What the parts of the expression were, for the explanation of a false one. */
      readonly values?: readonly ExpressionValue[];
    }
  /** `error` is CEL's own text: `no such key: none`. */
  | {
      readonly outcome: 'error';
      readonly error: string;
      readonly cost: number;
      readonly values?: readonly ExpressionValue[];
    }
  /** The text after `compilation error: `. */
  | { readonly outcome: 'uncompilable'; readonly error: string }
  | { readonly outcome: 'out-of-budget' };

/** The decision, and what it is made of: each condition's own result. */
export type ConditionsOutcome = ConditionsDecision & { readonly conditions: readonly ConditionRecord[] };

type ConditionsDecision =
  | { readonly outcome: 'matched' }
  | { readonly outcome: 'skipped'; readonly reason: SkipReason }
  /** The errors as one text; failurePolicy was Fail. */
  | { readonly outcome: 'failed'; readonly error: string };

/** Cost units that all conditions of one webhook share. Follows apiserver pkg/apis/cel/config.go. */
const matchConditionsBudget = 2_500_000;

const outOfBudget = 'validation failed due to running out of cost budget, no further validation rules will be run';

/**
 * Evaluates all conditions in order, then decides: one false beats any number of errors (rules SEL-60 to SEL-65).
 * Follows apiserver pkg/admission/plugin/webhook/matchconditions/matcher.go.
 */
export function evaluateMatchConditions(
  conditions: readonly MatchCondition[],
  failurePolicy: 'Fail' | 'Ignore',
  variables: ConditionVariables,
  evaluate: EvaluateCondition,
): ConditionsOutcome {
  const records: ConditionRecord[] = [];
  const errors: string[] = [];
  let firstFalse: SkipReason | undefined;
  let budget = matchConditionsBudget;
  for (const { name: condition, expression } of conditions) {
    const result = evaluate(expression, variables, budget);
    if ('cost' in result) budget -= result.cost;
    const spent = result.outcome === 'out-of-budget' || budget < 0;
    records.push(spent ? { condition, result: 'error', error: outOfBudget, values: [] } : recordOf(condition, result));
    if (spent) return { ...failed(outOfBudget, failurePolicy), conditions: records };
    if (result.outcome === 'value' && !result.value) {
      firstFalse ??= { because: 'matchCondition', condition, expression, values: result.values ?? [] };
    }
    errors.push(...errorsOf(expression, result));
  }
  if (firstFalse) return { outcome: 'skipped', reason: firstFalse, conditions: records };
  if (errors.length === 0) return { outcome: 'matched', conditions: records };
  return { ...failed(aggregate(errors), failurePolicy), conditions: records };
}

function recordOf(condition: string, result: ConditionResult): ConditionRecord {
  switch (result.outcome) {
    case 'value':
      return result.value ? { condition, result: 'true' } : { condition, result: 'false', values: result.values ?? [] };
    case 'error':
      return { condition, result: 'error', error: result.error, values: result.values ?? [] };
    case 'uncompilable':
      return { condition, result: 'error', error: result.error, values: [] };
    case 'out-of-budget':
      return { condition, result: 'error', error: outOfBudget, values: [] };
  }
}

function errorsOf(expression: string, result: ConditionResult): readonly string[] {
  if (result.outcome === 'error') return [`expression '${expression}' resulted in error: ${result.error}`];
  return result.outcome === 'uncompilable' ? [`compilation error: ${result.error}`] : [];
}

/** Under Ignore the webhook is not called, and that does not even count as failing open (rule SEL-67). */
const failed = (error: string, failurePolicy: 'Fail' | 'Ignore'): ConditionsDecision =>
  failurePolicy === 'Fail'
    ? { outcome: 'failed', error }
    : { outcome: 'skipped', reason: { because: 'matchCondition-error', error } };

/** One error bare, several as `[e1, e2]` without repeats. Follows apimachinery pkg/util/errors/errors.go. */
function aggregate(errors: readonly string[]): string {
  const unique = [...new Set(errors)];
  return unique.length === 1 ? unique.join('') : `[${unique.join(', ')}]`;
}

/**
 * The variable `request`: the AdmissionReview's request without uid and objects, empty strings absent. `kind` is the
 * matched kind, `resource` the requested resource (rules CEL-2, CEL-3).
 * Follows apiserver pkg/admission/plugin/cel/condition.go CreateAdmissionRequest.
 */
export function requestVariable(request: AdmissionAttributes, matchedKind: GroupVersionKind): JsonObject {
  const { kind, resource, subresource, name, namespace, operation, userInfo, dryRun, options } = request;
  return {
    kind: { group: matchedKind.group, version: matchedKind.version, kind: matchedKind.kind },
    resource: { group: resource.group, version: resource.version, resource: resource.resource },
    ...(subresource === '' ? {} : { subResource: subresource }),
    requestKind: { group: kind.group, version: kind.version, kind: kind.kind },
    requestResource: { group: resource.group, version: resource.version, resource: resource.resource },
    ...(subresource === '' ? {} : { requestSubResource: subresource }),
    ...(name === '' ? {} : { name }),
    ...(namespace === '' ? {} : { namespace }),
    operation,
    userInfo: userInfoJson(userInfo),
    dryRun,
    options,
  };
}
