import { asList, asObject, asString, type JsonObject, type JsonValue, valueAt } from '../../../machinery/json/json.ts';
import { compileRule, evaluateRules, ruleScope, ruleVariables } from '../../../cel/index.ts';
import { type CelAnswer, evaluated, evaluationOptions, explained as explainedParts } from './answer.ts';

export interface RuleQuestion {
  readonly expression: string;
  readonly schema: JsonObject;
  readonly self: JsonValue;
  readonly oldSelf: JsonValue;
  readonly optionalOldSelf: boolean;
  readonly budget: number;
  readonly explained: boolean;
}

/** Follows apiserver pkg/apis/cel/config.go RuntimeCELCostBudget. */
export const resourceBudget = 10_000_000;

/** Compiles and evaluates a rule with the types of its schema; errors that end validation keep their message. */
export function answerRule(question: RuleQuestion): CelAnswer {
  const { expression, self, optionalOldSelf, budget, explained } = question;
  const scope = ruleScope(question.schema, true);
  if (scope === undefined) return { error: 'the schema has no type that expressions could see' };
  const compilation = compileRule(scope, expression, { stored: true, optionalOldSelf });
  if (compilation.outcome === 'failed') return { error: compilation.error };
  const { rule } = compilation;
  const subject = { scope, path: 'root', self, oldSelf: question.oldSelf ?? undefined };
  const lookup = ruleVariables(subject)(optionalOldSelf);
  const answered = evaluated(rule.compiled, lookup, { costLimit: Math.min(evaluationOptions.costLimit, budget) });
  const evaluation = evaluateRules([{ rule, text: expression, optionalOldSelf }], subject, budget, evaluationOptions);
  const { fatal } = evaluation;
  const { value: _value, ...rest } = answered;
  return {
    ...(fatal === undefined ? answered : { ...rest, error: fatal.detail ?? '' }),
    estimatedMaxCost: rule.maxCost,
    ...(explained ? { explained: explainedParts(rule.compiled, lookup) } : {}),
  };
}

/** The schema in a document: itself, or that of the stored version of a CustomResourceDefinition. */
export function schemaInDocument(document: JsonValue): JsonObject {
  const about = asObject(document);
  if (about['kind'] !== 'CustomResourceDefinition') return about;
  const versions = asList(valueAt(about, 'spec', 'versions')).map(asObject);
  const stored = versions.find(({ storage }) => storage === true) ?? versions[0];
  return asObject(valueAt(stored, 'schema', 'openAPIV3Schema'));
}

/** A case of context `crd`. */
export const answerRuleCase = (row: JsonObject, schema: JsonValue, variables: JsonObject): CelAnswer =>
  answerRule({
    expression: asString(row['expression']),
    schema: asObject(schema),
    self: variables['self'] ?? null,
    oldSelf: variables['oldSelf'] ?? null,
    optionalOldSelf: row['optionalOldSelf'] === true,
    budget: typeof row['budget'] === 'number' ? row['budget'] : resourceBudget,
    explained: false,
  });
