import { trimSpace } from '../../machinery/go/strings.ts';
import {
  type FieldError,
  fieldErrorText,
  type FieldErrorType,
  invalidValue,
} from '../../machinery/meta/field-error.ts';
import type { JsonValue } from '../../machinery/json/json.ts';
import { evaluate, type CelEvaluation, type EvaluationOptions, type Variables } from '../run/evaluate.ts';
import { costExceeded, outOfBudget } from '../run/frame.ts';
import { CelError, type CelResult } from '../value/value.ts';
import type { CompiledRule } from './compile-rule.ts';
import { withResourceMeta } from './rule-schema.ts';
import type { RuleScope } from './rule-scope.ts';
import { toOptional, toTypedValue } from './typed-value.ts';

/** A rule with its message. */
export interface ValidationRule {
  readonly rule: CompiledRule;
  readonly text: string;
  readonly message?: string | undefined;
  readonly messageExpression?: CompiledRule | undefined;
  readonly optionalOldSelf?: boolean;
  readonly reason?: FieldErrorType | undefined;
  /** The path of the error below the rule's path: `.spec.x`. */
  readonly fieldPath?: string | undefined;
}

/** A rule that does not compile: possible only for defaults of a definition that is being validated. */
export interface UncompiledRule {
  readonly error: string;
}

/** A value at a place of a resource; `oldSelf` is undefined when there is none to compare with. */
export interface RuleInput {
  readonly scope: RuleScope;
  readonly path: string;
  readonly self: JsonValue;
  readonly oldSelf: JsonValue | undefined;
  /** Is the value as it was? Then a rule about it, rather than about a change, may fail: that is only a warning. */
  readonly isUnchanged?: () => boolean;
}

/** The result of the rules at one path. A negative budget ends the validation of the whole resource. */
export interface RulesOutcome {
  readonly errors: readonly FieldError[];
  readonly warnings: readonly string[];
  /** The first error that is not a violated rule, but a rule that could not be evaluated. */
  readonly fatal?: FieldError | undefined;
  readonly remaining: number;
}

type Rules = readonly (ValidationRule | UncompiledRule)[];

/** Evaluates the rules of one place in turn. Follows apiextensions-apiserver pkg/apiserver/schema/cel/validation.go. */
export function evaluateRules(
  rules: Rules,
  subject: RuleInput,
  budget: number,
  options: EvaluationOptions = {},
): RulesOutcome {
  const errors = rules.filter(isUncompiled).map(({ error }) => invalidSelf(subject, `rule compile error: ${error}`));
  const warnings: string[] = [];
  let remaining = budget;
  let fatal: FieldError | undefined;
  if (subject.self === null || rules.length === 0) return { errors, warnings, remaining };
  if (budget <= 0) return outOfBudgetOutcome(subject, errors, warnings);
  const variables = ruleVariables(subject);
  for (const rule of applicableRules(rules, subject)) {
    const bounds = { variables, remaining, options };
    const evaluated = evaluateRule(rule, bounds);
    if (evaluated === undefined) return outOfBudgetOutcome(subject, errors, warnings);
    remaining = evaluated.remaining;
    const { failure } = evaluated;
    if (failure === undefined) continue;
    if (failure.isFatal) {
      const error = invalidSelf(subject, failure.detail);
      fatal ??= error;
      errors.push(error);
    } else if (isRatcheted(rule, subject)) warnings.push(fieldErrorText(failedError(subject, rule, failure)));
    else errors.push(failedError(subject, rule, failure));
    if (remaining < 0) break;
  }
  return { errors, warnings, remaining, fatal };
}

interface Bounds {
  readonly variables: (optionalOldSelf: boolean) => Variables;
  readonly remaining: number;
  readonly options: EvaluationOptions;
}

interface EvaluatedRule {
  readonly failure: RuleFailure | undefined;
  readonly remaining: number;
}

/** The result of a rule; undefined when it cost more than was left. */
function evaluateRule(rule: ValidationRule, { variables, remaining, options }: Bounds): EvaluatedRule | undefined {
  const lookup = variables(rule.optionalOldSelf === true);
  const evaluation = evaluate(rule.rule.compiled, lookup, limitCost(remaining, options));
  const rest = remaining - evaluation.cost;
  if (rest < 0) return undefined;
  const failure = findFailure(rule, evaluation, { lookup: variables(false), remaining: rest, options });
  return { failure, remaining: failure?.remaining ?? rest };
}

const applicableRules = (
  rules: readonly (ValidationRule | UncompiledRule)[],
  subject: RuleInput,
): readonly ValidationRule[] =>
  rules.filter((rule): rule is ValidationRule => !isUncompiled(rule)).filter((rule) => isApplicable(rule, subject));

const isUncompiled = (rule: ValidationRule | UncompiledRule): rule is UncompiledRule => 'error' in rule;

function outOfBudgetOutcome(
  subject: RuleInput,
  errors: readonly FieldError[],
  warnings: readonly string[],
): RulesOutcome {
  const fatal = invalidSelf(subject, outOfBudget);
  return { errors: [...errors, fatal], warnings, remaining: -1, fatal };
}

const isRatcheted = ({ rule }: ValidationRule, { isUnchanged }: RuleInput): boolean =>
  !rule.usesOldSelf && isUnchanged?.() === true;

/** A rule about a change needs something to compare with. */
const isApplicable = ({ rule, optionalOldSelf }: ValidationRule, { oldSelf }: RuleInput): boolean =>
  !rule.usesOldSelf || oldSelf !== undefined || optionalOldSelf === true;

/** There is no use in going on when the budget is spent. */
const limitCost = (remaining: number, options: EvaluationOptions): EvaluationOptions => ({
  ...options,
  costLimit: Math.min(options.costLimit ?? Infinity, remaining),
});

/** `self` and `oldSelf`, converted when a rule first reads them. */
export function ruleVariables({ scope, self, oldSelf }: RuleInput): (optionalOldSelf: boolean) => Variables {
  const schema = scope.isResource ? withResourceMeta(scope.schema) : scope.schema;
  const converted = toTypedValue(self, schema);
  const old = oldSelf === undefined || oldSelf === null ? undefined : toTypedValue(oldSelf, schema);
  return (optionalOldSelf) => (name) => {
    if (name === 'self') return nullIfError(converted);
    return name === 'oldSelf' ? nullIfError(optionalOldSelf ? toOptional(old) : old) : undefined;
  };
}

/** A value that does not fit its schema has been refused before any rule runs. */
const nullIfError = (value: CelResult | undefined) => (value instanceof CelError ? null : value);

interface RuleFailure {
  readonly detail: string;
  readonly remaining: number;
  /** The evaluation failed with an error; the rule is not merely false. */
  readonly isFatal: boolean;
}

interface FailureContext {
  /** A messageExpression sees `oldSelf` itself, optional or not. */
  readonly lookup: Variables;
  readonly remaining: number;
  readonly options: EvaluationOptions;
}

function findFailure(
  rule: ValidationRule,
  evaluation: CelEvaluation,
  context: FailureContext,
): RuleFailure | undefined {
  const { remaining } = context;
  if (evaluation.outcome === 'value') {
    return evaluation.value === true ? undefined : ruleFailure(rule, context);
  }
  const { error } = evaluation;
  const name = ruleName(rule);
  if (error.startsWith('no such overload')) {
    const detail = `'${error}': call arguments did not match a supported operator, function or macro signature for rule: ${name}`;
    return { detail, remaining, isFatal: true };
  }
  if (!error.startsWith(costExceeded)) {
    return { detail: `${error} evaluating rule: ${name}`, remaining, isFatal: true };
  }
  const detail = `'${error}': no further validation rules will be run due to call cost exceeds limit for rule: ${name}`;
  return { detail, remaining: -1, isFatal: true };
}

const ruleName = ({ message = '', text }: ValidationRule): string => trimSpace(message === '' ? text : message);

const defaultDetail = ({ message = '', text }: ValidationRule): string =>
  message === '' ? `failed rule: ${trimSpace(text)}` : trimSpace(message);

/** The message of a violated rule: the result of messageExpression, otherwise the message. */
function ruleFailure(rule: ValidationRule, { lookup, remaining, options }: FailureContext): RuleFailure {
  const { messageExpression } = rule;
  if (messageExpression === undefined) return { detail: defaultDetail(rule), remaining, isFatal: false };
  const evaluation = evaluate(messageExpression.compiled, lookup, limitCost(remaining, options));
  const rest = remaining - evaluation.cost;
  if (rest < 0) return { detail: messageOutOfBudget, remaining: -1, isFatal: true };
  if (evaluation.outcome === 'error' && evaluation.error.startsWith(costExceeded)) {
    const { text } = messageExpression.compiled.source;
    const detail = `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${JSON.stringify(text)}`;
    return { detail, remaining: -1, isFatal: true };
  }
  const text =
    evaluation.outcome === 'value' && typeof evaluation.value === 'string' ? trimSpace(evaluation.value) : '';
  return { detail: isUsable(text) ? text : defaultDetail(rule), remaining: rest, isFatal: false };
}

const messageOutOfBudget =
  'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run';

const maxMessageLength = 5 * 1024;

const isUsable = (text: string): boolean =>
  text !== '' && !text.includes('\n') && new TextEncoder().encode(text).length <= maxMessageLength;

const invalidSelf = ({ path, scope }: RuleInput, detail: string): FieldError =>
  invalidValue(path === '' ? '<nil>' : path, scope.schema.type, detail);

/** Scalars are shown, except in errors of type Forbidden and Required. */
function failedError(
  { path, self, scope }: RuleInput,
  { reason, fieldPath = '' }: ValidationRule,
  { detail }: RuleFailure,
): FieldError {
  const type = reason ?? 'FieldValueInvalid';
  const field = path === '' ? fieldPath.replace(/^\./, '') : `${path}${fieldPath}`;
  const isShown = typeof self !== 'object' && (type === 'FieldValueInvalid' || type === 'FieldValueDuplicate');
  return {
    ...invalidValue(field === '' ? '<nil>' : field, self, type === 'FieldValueDuplicate' ? '' : detail),
    ...(isShown ? {} : { value: '' }),
    type,
    ruleOf: scope.schema.type,
  };
}
