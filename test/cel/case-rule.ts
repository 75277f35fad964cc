import { fieldErrorText } from '../../src/machinery/meta/field-error.ts';
import { asObject, asString, type JsonObject, type JsonValue } from '../../src/machinery/json/json.ts';
import type { CompiledRule, RuleCompilation } from '../../src/cel/crd/compile-rule.ts';
import type { RuleInput } from '../../src/cel/crd/evaluate-rules.ts';
import {
  compileRule,
  compileRuleMessage,
  evaluate,
  evaluateRules,
  ruleScope,
  ruleVariables,
} from '../../src/cel/index.ts';
import type { RuleScope } from '../../src/cel/crd/rule-scope.ts';
import { typeText } from '../../src/cel/check/type.ts';
import { valueToJson } from '../../src/cel/value/value-json.ts';
import { sorted } from './case-value.ts';

const resourceBudget = 10_000_000;
const costLimit = 1_000_000;

/** The result of a case of context `crd`, in the form of its expectations. */
export function ruleOutcome(row: JsonObject, schema: JsonValue, variables: JsonObject): JsonObject {
  const scope = ruleScope(asObject(schema), true);
  if (scope === undefined) throw new Error('the schema has no type');
  const options = { stored: true, optionalOldSelf: row['optionalOldSelf'] === true };
  const compilation = compileRule(scope, asString(row['expression']), options);
  if (compilation.outcome === 'failed') return { compileError: compilation.error };
  const { rule } = compilation;
  const subject = { scope, path: 'root', self: variables['self'] ?? null, oldSelf: variables['oldSelf'] };
  return {
    ...evaluationOf(rule, row, subject),
    type: typeText(rule.compiled.checked.type),
    estimatedMaxCost: rule.maxCost > 2n ** 53n ? String(rule.maxCost) : Number(rule.maxCost),
  };
}

function evaluationOf(rule: CompiledRule, row: JsonObject, subject: RuleInput): JsonObject {
  const optionalOldSelf = row['optionalOldSelf'] === true;
  const message = messageOf(row, subject.scope);
  const messageExpression = message?.outcome === 'compiled' ? message.rule : undefined;
  const text = asString(row['expression']);
  const full = { rule, text, message: asString(row['message']), messageExpression, optionalOldSelf };
  const budget = typeof row['budget'] === 'number' ? row['budget'] : resourceBudget;
  const limits = { costLimit: Math.min(costLimit, budget) };
  const evaluation = evaluate(rule.compiled, ruleVariables(subject)(optionalOldSelf), limits);
  const { errors, fatal } = evaluateRules([full], subject, budget, { costLimit });
  const isValue = evaluation.outcome === 'value' && fatal === undefined;
  return {
    ...(isValue ? { value: sorted(valueToJson(evaluation.value)) } : { error: fatal?.detail }),
    cost: evaluation.cost,
    ...(errors.length === 0 ? {} : { fieldErrors: errors.map(fieldErrorText) }),
    ...(message?.outcome === 'failed' ? { messageExpressionError: message.error } : {}),
  };
}

function messageOf(row: JsonObject, scope: RuleScope): RuleCompilation | undefined {
  const text = asString(row['messageExpression']);
  return text === '' ? undefined : compileRuleMessage(scope, text, { stored: true });
}
