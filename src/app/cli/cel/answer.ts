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
  valueJson,
  type Variables,
} from '../../../cel/index.ts';
import { CelError, type CelResult, dynType, typeText } from '../../../cel/vocabulary.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import type { JsonObject, JsonValue } from '../../../machinery/json/json.ts';
import { authorizerVariables } from './authorizer-variables.ts';

export const celContexts = ['matchConditions', 'validation', 'crd'] as const;

/** Of a webhook, of an admission policy, of the schema of a custom resource. */
export type CelContext = (typeof celContexts)[number];

export interface CelQuestion {
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

export function answer({ expression, context, variables, explained: isExplained }: CelQuestion): CelAnswer {
  const compilation = compileIn(context, expression);
  if (compilation.outcome === 'failed') return { error: compilation.error };
  const { compiled } = compilation;
  const authorizer = authorizerVariables([], variables['request'] ?? null);
  const lookup: Variables = (name) => authorizer.get(name) ?? variables[name];
  const answered = evaluated(compiled, lookup);
  return isExplained ? { ...answered, explained: explained(compiled, lookup) } : answered;
}

export const explained = (compiled: Compiled, lookup: Variables): AnsweredPart =>
  partJson(explainTree(compiled, lookup, evaluationOptions));

export const evaluated = (compiled: Compiled, lookup: Variables, options = evaluationOptions): CelAnswer =>
  answerOf(compiled, evaluate(compiled, lookup, options));

export function answerOf(compiled: Compiled, evaluation: CelEvaluation): CelAnswer {
  const { cost } = evaluation;
  const type = typeText(compiled.checked.type);
  return evaluation.outcome === 'error'
    ? { type, cost, error: evaluation.error }
    : { value: valueJson(evaluation.value), type, cost };
}

function compileIn(context: CelContext | undefined, expression: string): Compilation {
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

const partJson = ({ expression, results, parts }: ExplainedExpression): AnsweredPart => ({
  expression,
  results: results.map(resultJson),
  parts: parts.map(partJson),
});

const resultJson = (result: CelResult): AnsweredResult =>
  result instanceof CelError ? { error: result.message } : { value: valueJson(result) };

/** 64-bit integers in full. */
export const answerText = (answered: CelAnswer): string => writeJson(answered);
