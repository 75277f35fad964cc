import {
  type CelEvaluation,
  type Compilation,
  compile,
  compileAdmission,
  compileCondition,
  type Compiled,
  createEnvironment,
  evaluate,
  type EvaluationOptions,
  type ExplainedExpression,
  explainTree,
  storedVersion,
  valueToJson,
  type Variables,
  compileRule,
  evaluateRules,
  ruleScope,
  ruleVariables,
} from '../../../cel/index.ts';
import { CelError, type CelResult, dynType, typeText } from '../../../cel/vocabulary.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import { type JsonObject, type JsonValue, asList, asObject, asString, valueAt } from '../../../machinery/json/json.ts';
import { authorizerVariables } from './variables.ts';

export const celContexts = ['matchConditions', 'validation', 'crd'] as const;

/** Of a webhook, of an admission policy, of the schema of a custom resource. */
export type CelContext = (typeof celContexts)[number];

interface CelRequest {
  readonly expression: string;
  /** Without one: the variables of matchConditions, and any type of result. */
  readonly context: CelContext | undefined;
  /** By name; one that is missing is null. */
  readonly variables: JsonObject;
  readonly explained: boolean;
}

/** What `kadmit cel -o json` prints. */
export interface CelAnswer extends JsonObject {
  readonly value?: JsonValue;
  readonly type?: string;
  readonly cost?: number;
  /** The only field of an expression that does not compile. */
  readonly error?: string;
  /** For a rule with a schema: the maximum by the limits of the schema. */
  readonly estimatedMaxCost?: bigint;
  readonly explained?: AnsweredPart;
}

/** A part of the expression as written; `results` as in CelAnswer, one for each round of a loop. */
export interface AnsweredPart extends JsonObject {
  readonly expression: string;
  readonly results: readonly AnsweredResult[];
  readonly parts: readonly AnsweredPart[];
}

export type AnsweredResult = { readonly value: JsonValue } | { readonly error: string };

/** Follows apiserver pkg/apis/cel/config.go PerCallLimit. */
export const evaluationOptions: EvaluationOptions & { readonly costLimit: number } = { costLimit: 1_000_000 };

export function evaluateCel({ expression, context, variables, explained: isExplained }: CelRequest): CelAnswer {
  const compilation = compileInContext(context, expression);
  if (compilation.outcome === 'failed') return { error: compilation.error };
  const { compiled } = compilation;
  const authorizer = authorizerVariables([], variables['request'] ?? null);
  const lookup: Variables = (name) => authorizer.get(name) ?? variables[name];
  const answered = evaluateCompiled(compiled, lookup);
  return isExplained ? { ...answered, explained: explainParts(compiled, lookup) } : answered;
}

const explainParts = (compiled: Compiled, lookup: Variables): AnsweredPart =>
  toPart(explainTree(compiled, lookup, evaluationOptions));

const evaluateCompiled = (compiled: Compiled, lookup: Variables, options = evaluationOptions): CelAnswer =>
  toCelAnswer(compiled, evaluate(compiled, lookup, options));

export function toCelAnswer(compiled: Compiled, evaluation: CelEvaluation): CelAnswer {
  const { cost } = evaluation;
  const type = typeText(compiled.checked.type);
  return evaluation.outcome === 'error'
    ? { type, cost, error: evaluation.error }
    : { value: valueToJson(evaluation.value), type, cost };
}

function compileInContext(context: CelContext | undefined, expression: string): Compilation {
  switch (context) {
    case undefined:
      return compileAdmission(expression, { stored: true }, undefined);
    case 'matchConditions':
      return compileCondition(expression, { stored: true });
    case 'validation':
      return compileAdmission(expression, { stored: true, params: true, variables: new Map() }, undefined);
    case 'crd':
      return compile(expression, ruleEnvironment());
  }
}

/** Without a schema. */
const ruleEnvironment = () =>
  createEnvironment({
    version: storedVersion,
    variables: new Map([
      ['self', dynType],
      ['oldSelf', dynType],
    ]),
  });

const toPart = ({ expression, results, parts }: ExplainedExpression): AnsweredPart => ({
  expression,
  results: results.map(toResult),
  parts: parts.map(toPart),
});

const toResult = (result: CelResult): AnsweredResult =>
  result instanceof CelError ? { error: result.message } : { value: valueToJson(result) };

/** 64-bit integers in full. */
export const celAnswerJson = (answered: CelAnswer): string => writeJson(answered);

interface RuleRequest {
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
export function evaluateRule(question: RuleRequest): CelAnswer {
  const { expression, self, optionalOldSelf, budget, explained } = question;
  const scope = ruleScope(question.schema, true);
  if (scope === undefined) return { error: 'the schema has no type that expressions could see' };
  const compilation = compileRule(scope, expression, { stored: true, optionalOldSelf });
  if (compilation.outcome === 'failed') return { error: compilation.error };
  const { rule } = compilation;
  const subject = { scope, path: 'root', self, oldSelf: question.oldSelf ?? undefined };
  const lookup = ruleVariables(subject)(optionalOldSelf);
  const answered = evaluateCompiled(rule.compiled, lookup, {
    costLimit: Math.min(evaluationOptions.costLimit, budget),
  });
  const evaluation = evaluateRules([{ rule, text: expression, optionalOldSelf }], subject, budget, evaluationOptions);
  const { fatal } = evaluation;
  const { value: _value, ...rest } = answered;
  return {
    ...(fatal === undefined ? answered : { ...rest, error: fatal.detail ?? '' }),
    estimatedMaxCost: rule.maxCost,
    ...(explained ? { explained: explainParts(rule.compiled, lookup) } : {}),
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
export const evaluateRuleCase = (row: JsonObject, schema: JsonValue, variables: JsonObject): CelAnswer =>
  evaluateRule({
    expression: asString(row['expression']),
    schema: asObject(schema),
    self: variables['self'] ?? null,
    oldSelf: variables['oldSelf'] ?? null,
    optionalOldSelf: row['optionalOldSelf'] === true,
    budget: typeof row['budget'] === 'number' ? row['budget'] : resourceBudget,
    explained: false,
  });
