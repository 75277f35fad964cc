import type { Authorize } from '../../auth/authorizer.ts';
import type { Clock } from '../../apimachinery/clock.ts';
import type { UserInfo } from '../../auth/user.ts';
import type { compileAdmission, compileCondition } from '../../cel/admission/condition.ts';
import type { evaluate } from '../../cel/run/evaluate.ts';
import type { explain } from '../../cel/run/explain.ts';
import type { CelAuthorizer, CelAuthorizerQuestion, ServiceAccount } from '../../cel/library/authorizer-value.ts';
import { box } from '../../cel/value/value.ts';
import type { Value } from '../../cel/value/value.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import type { CompileCondition } from '../configuration/validate-match-conditions.ts';
import type { ExpressionValue } from '../outcome.ts';
import type { ConditionVariables, EvaluateCondition } from './match-conditions.ts';

/** What is needed of src/cel/engine.ts, which whoever starts the server imports when it is first needed. */
export interface CelEngine {
  readonly compileCondition: typeof compileCondition;
  readonly compileAdmission: typeof compileAdmission;
  readonly evaluate: typeof evaluate;
  readonly explain: typeof explain;
}

export interface ConditionEngine {
  readonly evaluateCondition: EvaluateCondition;
  readonly compileCondition: CompileCondition;
}

/** Cost units of one expression. Follows apiserver pkg/apis/cel/config.go PerCallLimit. */
const perExpressionLimit = 1_000_000;

/** An expression that cost more is not evaluated once more to tell the values of its parts. */
const dearestExplained = 100_000;

const mostShown = 6;
const longestShown = 80;

/** The values of a few parts, short enough for a line of text. */
const shown = (parts: readonly ExpressionValue[]): readonly ExpressionValue[] =>
  parts.slice(0, mostShown).map(({ expression, value }) => ({
    expression,
    value: value.length > longestShown ? `${value.slice(0, longestShown)}…` : value,
  }));

/** matchConditions over a CEL engine; what was compiled is kept. Follows apiserver pkg/admission/plugin/cel (rules SEL-65, CEL-1). */
export function createConditionEngine(engine: CelEngine, authorize: Authorize, now: Clock['now']): ConditionEngine {
  const compiled = new Map<string, ReturnType<CelEngine['compileCondition']>>();
  const compileStored = (expression: string): ReturnType<CelEngine['compileCondition']> => {
    const known = compiled.get(expression);
    if (known) return known;
    const compilation = engine.compileCondition(expression, { stored: true });
    if (compiled.size >= maximumKept) compiled.clear();
    compiled.set(expression, compilation);
    return compilation;
  };
  return {
    compileCondition: (expression, environment) => {
      const compilation = engine.compileCondition(expression, environment);
      return compilation.outcome === 'compiled' ? { ok: true } : { ok: false, error: compilation.error };
    },
    evaluateCondition: (expression, variables) => {
      const compilation = compileStored(expression);
      if (compilation.outcome === 'failed') return { outcome: 'uncompilable', error: compilation.error };
      const { compiled: expressionPlan } = compilation;
      const lookup = celVariables(variables, authorize);
      const options = { costLimit: perExpressionLimit, interrupted: patience(now) };
      const result = engine.evaluate(expressionPlan, lookup, options);
      if (result.outcome === 'value' && result.value === true) return { ...result, value: true };
      const isDear = result.cost > dearestExplained;
      const values = isDear ? [] : shown(engine.explain(expressionPlan, lookup, options));
      return result.outcome === 'error' ? { ...result, values } : { ...result, value: false, values };
    },
  };
}

const longestEvaluation = 100;

/**
 * Says when an evaluation, and its explanation, has taken too long; the server does nothing else meanwhile. The time
 * counts from the first question, which most expressions never ask.
 */
function patience(now: Clock['now']): () => boolean {
  let end: number | undefined;
  return () => {
    const time = now();
    end ??= time + longestEvaluation;
    return time > end;
  };
}

/** Far more expressions than one server has; a bound, so that tests that write thousands do not pile up. */
const maximumKept = 10_000;

function celVariables(
  { object, oldObject, request, asker }: ConditionVariables,
  authorize: Authorize,
): (name: string) => Value | undefined {
  return (name) => {
    switch (name) {
      case 'object':
        return object;
      case 'oldObject':
        return oldObject;
      case 'request':
        return request;
      case 'authorizer':
        return box('authorizer', { type: 'Authorizer', port: portFor(asker, authorize), serviceAccount: undefined });
      case 'authorizer.requestResource':
        return requestResource(asker, authorize);
      default:
        return undefined; // namespaceObject is null for webhooks.
    }
  };
}

/** Preset with what the request is about (rule CEL-8). */
function requestResource(asker: AdmissionAttributes, authorize: Authorize): Value {
  const { resource, subresource, namespace, name } = asker;
  const attributes = { group: resource.group, resource: resource.resource, subresource, namespace, name };
  return box('authorizer', {
    type: 'ResourceCheck',
    port: portFor(asker, authorize),
    serviceAccount: undefined,
    attributes,
  });
}

const portFor = ({ userInfo }: AdmissionAttributes, authorize: Authorize): CelAuthorizer => ({
  check: (question) => {
    const user = question.serviceAccount ? serviceAccountUser(question.serviceAccount) : userInfo;
    const { allowed, reason } = authorize(authorizationQuestion(question, user));
    return { allowed, reason };
  },
});

function authorizationQuestion(question: CelAuthorizerQuestion, user: UserInfo): Parameters<Authorize>[0] {
  const { verb } = question;
  if (question.type === 'path') return { type: 'path', user, verb, path: question.path };
  const { group, resource, subresource, namespace, name } = question;
  return { type: 'resource', user, verb, group, version: '*', resource, subresource, namespace, name };
}

/** Follows apiserver pkg/authentication/serviceaccount/util.go. */
function serviceAccountUser({ namespace, name }: NonNullable<ServiceAccount>): UserInfo {
  return {
    username: `system:serviceaccount:${namespace}:${name}`,
    uid: '',
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
    extra: {},
  };
}
