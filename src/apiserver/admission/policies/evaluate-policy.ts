import { trimSpace } from '../../../machinery/go/strings.ts';
import type { ValidationRecord } from '../chain/outcome.ts';
import type { ConditionRecord, SkipReason } from '../chain/skip-reason.ts';
import { expressionError, type ExpressionResult, type Expressions, outOfBudget } from '../matching/expressions.ts';
import { decide, type ValidationDecision, failedValidation, type EvaluatedExpression } from './decide-validation.ts';
import { type ConditionsOutcome, evaluateMatchConditions } from '../matching/match-conditions.ts';
import type { AdmissionPolicy } from './policy.ts';
import type { ExpressionUse, PolicyProgram } from './policy-program.ts';
import { conditionVariables, policyVariables, type PolicyView } from './policy-variables.ts';

/** The result before the binding's actions. */
export type PolicyEvaluation = { readonly conditions?: readonly ConditionRecord[] } & (
  | { readonly outcome: 'skipped'; readonly reason: SkipReason }
  | {
      readonly outcome: 'evaluated';
      readonly decisions: readonly ValidationDecision[];
      readonly records: readonly ValidationRecord[];
      readonly annotations: readonly AnnotationResult[];
    }
);

export type AnnotationResult = { readonly key: string } & (
  | { readonly outcome: 'value'; readonly value: string }
  | { readonly outcome: 'none' }
  | { readonly outcome: 'error'; readonly error: string }
);

export interface EvaluatePorts {
  readonly expressions: Expressions;
  readonly programOf: (policy: AdmissionPolicy) => PolicyProgram;
}

/** Cost units of one policy, binding and params. Follows apiserver pkg/apis/cel/config.go RuntimeCELCostBudget. */
export const policyBudget = 10_000_000;

/** Follows apiserver pkg/admission/plugin/policy/validating/validator.go (rules VAP-20 to VAP-26). */
export function evaluatePolicy(policy: AdmissionPolicy, at: PolicyView, ports: EvaluatePorts): PolicyEvaluation {
  const conditionOutcome = evaluateConditions(policy, at, ports);
  const { conditions } = conditionOutcome;
  if (conditionOutcome.outcome === 'skipped') return conditionOutcome;
  if (conditionOutcome.outcome === 'failed') return endWithError(conditionOutcome.error, conditions);
  const validated = validate(policy, at, ports);
  if (validated.outcome === 'out-of-budget') return endWithError(outOfBudget, conditions);
  const annotated = policy.auditAnnotations.length === 0 ? [] : annotate(policy, at, ports);
  if (annotated === undefined) return endWithError(outOfBudget, conditions);
  const { decisions, records } = validated;
  return { outcome: 'evaluated', decisions, records, annotations: annotated, conditions };
}

/** One decision for the whole policy. */
const endWithError = (message: string, conditions: readonly ConditionRecord[]): PolicyEvaluation => ({
  outcome: 'evaluated',
  decisions: [{ outcome: 'error', message }],
  records: [],
  annotations: [],
  conditions,
});

const unconditional: ConditionsOutcome = Object.freeze({ outcome: 'matched', conditions: [] });

export function evaluateConditions(
  policy: AdmissionPolicy,
  at: PolicyView,
  { expressions, programOf }: EvaluatePorts,
): ConditionsOutcome {
  const { matchConditions, failurePolicy } = policy;
  const program = programOf(policy);
  if (matchConditions.length === 0) return unconditional;
  const evaluate = expressions.evaluator(conditionVariables(at), program.variables(), at.onVariable);
  return evaluateMatchConditions(matchConditions, failurePolicy, (text, budget) =>
    evaluate(program.compile(text, 'condition'), budget),
  );
}

type Validated = ({ readonly outcome: 'validated' } & Decided) | { readonly outcome: 'out-of-budget' };

function validate(policy: AdmissionPolicy, at: PolicyView, ports: EvaluatePorts): Validated {
  const { validations } = policy;
  const texts = validations.map(({ expression }) => expression);
  const run = evaluateAll({ policy, texts, use: 'validation', budget: policyBudget }, at, ports);
  if (run.outcome === 'out-of-budget') return run;
  if (!hasMessages(policy) && run.results.every(isPlainlyTrue)) return allTrue(policy);
  const messages = hasMessages(policy) ? evaluateMessages(policy, at, run.remaining, ports) : noMessages;
  const decisions = validations.map((validation, index): ValidationDecision => {
    const result = run.results[index];
    if (result === undefined) return { outcome: 'passed' };
    if (messages.outcome === 'out-of-budget' && !('error' in result)) {
      return failedValidation(validation, `failed messageExpression: ${outOfBudget}`, []);
    }
    return decide(validation, result, messages.outcome === 'evaluated' ? messages.results[index] : undefined);
  });
  return { outcome: 'validated', decisions, records: decisions.flatMap(({ record }) => record ?? []) };
}

interface Decided {
  readonly decisions: readonly ValidationDecision[];
  readonly records: readonly ValidationRecord[];
}

const isPlainlyTrue = (result: ExpressionResult | undefined): boolean =>
  result?.outcome === 'value' && result.value === true && result.branches === undefined;

function allTrue(policy: AdmissionPolicy): Validated {
  const records = policy.validations.map(({ expression }): ValidationRecord => ({ expression, result: 'true' }));
  const decisions = records.map((record): ValidationDecision => ({ outcome: 'passed', record }));
  return { outcome: 'validated', decisions, records };
}

const hasMessages = ({ validations }: AdmissionPolicy): boolean =>
  validations.some(({ messageExpression }) => messageExpression !== '');

const noMessages: Results = Object.freeze({ outcome: 'evaluated', results: [], remaining: 0 });

/** Messages of true validations are evaluated too: their cost counts. */
function evaluateMessages(policy: AdmissionPolicy, at: PolicyView, budget: number, ports: EvaluatePorts): Results {
  const texts = policy.validations.map(({ messageExpression }) => messageExpression);
  return evaluateAll({ policy, texts, use: 'message', budget }, at, ports);
}

/** The expressions of one kind in a policy; an empty text is not evaluated. */
interface ExpressionList {
  readonly policy: AdmissionPolicy;
  readonly texts: readonly string[];
  readonly use: ExpressionUse;
  readonly budget: number;
}

type Results =
  | {
      readonly outcome: 'evaluated';
      readonly results: readonly (EvaluatedExpression | undefined)[];
      readonly remaining: number;
    }
  | { readonly outcome: 'out-of-budget' };

/** Follows apiserver pkg/admission/plugin/cel/condition.go ForInput. */
function evaluateAll(
  { policy, texts, use, budget }: ExpressionList,
  at: PolicyView,
  { expressions, programOf }: EvaluatePorts,
): Results {
  const program = programOf(policy);
  const variables = policyVariables(at, use === 'validation' ? 'authorizer' : 'no-authorizer');
  const evaluate = expressions.evaluator(variables, program.variables(), at.onVariable);
  const results: Extract<Results, { readonly outcome: 'evaluated' }>['results'][number][] = [];
  let remaining = budget;
  for (const text of texts) {
    const compiled = text === '' ? undefined : program.compile(text, use);
    const result = compiled && evaluate(compiled, remaining);
    if (result?.outcome === 'out-of-budget') return result;
    results.push(result);
    if (!result || !('cost' in result)) continue;
    remaining -= result.cost;
  }
  return { outcome: 'evaluated', results, remaining };
}

/** undefined when they exceeded their own budget. */
function annotate(
  policy: AdmissionPolicy,
  at: PolicyView,
  ports: EvaluatePorts,
): readonly AnnotationResult[] | undefined {
  const { auditAnnotations } = policy;
  const texts = auditAnnotations.map(({ expression }) => expression);
  const run = evaluateAll({ policy, texts, use: 'annotation', budget: policyBudget }, at, ports);
  if (run.outcome === 'out-of-budget') return undefined;
  return auditAnnotations.map(({ key, expression }, index): AnnotationResult => {
    const result = run.results[index];
    if (result === undefined) return { key, outcome: 'none' };
    if (result.outcome !== 'value') return { key, outcome: 'error', error: expressionError(expression, result) };
    const value = typeof result.value === 'string' ? trimSpace(result.value) : '';
    return value === '' ? { key, outcome: 'none' } : { key, outcome: 'value', value };
  });
}
