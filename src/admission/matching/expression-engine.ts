import type { Clock } from '../../apimachinery/clock.ts';
import type { Authorize } from '../../auth/authorizer.ts';
import type { AdmissionEnvironmentOptions } from '../../cel/admission/admission-environment.ts';
import type { Compilation } from '../../cel/run/compile.ts';
import type { compileAdmission } from '../../cel/admission/condition.ts';
import type { configurationOf, operationsOf } from '../../cel/admission/mutation-value.ts';
import type { checkTypes } from '../../cel/admission/type-check.ts';
import type { evaluateWithin } from '../../cel/run/evaluate-within.ts';
import type { EvaluationOptions, Variables } from '../../cel/run/evaluate.ts';
import type { explain } from '../../cel/run/explain.ts';
import type { createVariables, LazyVariables } from '../../cel/run/lazy-variables.ts';
import type { Value } from '../../cel/value/value.ts';
import type { ExpressionValue } from '../skip-reason.ts';
import { authorizerVariable, requestResourceVariable } from './authorizer-variables.ts';
import type { EvaluateExpression, Expressions, ExpressionVariables } from './expressions.ts';

/** What is needed of src/cel/engine.ts, which whoever starts the server imports when it is first needed. */
export interface CelEngine {
  readonly compileAdmission: typeof compileAdmission;
  readonly createVariables: typeof createVariables;
  readonly evaluateWithin: typeof evaluateWithin;
  readonly explain: typeof explain;
  readonly configurationOf: typeof configurationOf;
  readonly operationsOf: typeof operationsOf;
  readonly checkTypes: typeof checkTypes;
}

/** Cost units of one expression. Follows apiserver pkg/apis/cel/config.go PerCallLimit. */
const perExpressionLimit = 1_000_000;

/** An expression that cost more is not evaluated once more to tell the values of its parts. */
const dearestExplained = 100_000;

const mostShown = 6;
const longestShown = 80;

/** Expressions over a CEL engine. Follows apiserver pkg/admission/plugin/cel (rules SEL-65, CEL-1, VAP-24, VAP-25). */
export function createExpressions(engine: CelEngine, authorize: Authorize, now: Clock['now']): Expressions {
  const options = { costLimit: perExpressionLimit, interrupted: patience(now) };
  return {
    configurationOf: engine.configurationOf,
    operationsOf: engine.operationsOf,
    checkTypes: engine.checkTypes,
    compile: createCompilations(engine),
    evaluator: (variables, composed) => {
      const outer = lookupOf(variables, authorize);
      if (composed === undefined || composed.size === 0) return evaluatorOver({ lookup: outer, options }, engine);
      const lookup: Variables = (name) => (name === 'variables' ? lazy.value : outer(name));
      const lazy = engine.createVariables(composed, lookup, options);
      return evaluatorOver({ lookup, lazy, options }, engine);
    },
  };
}

interface List {
  readonly lookup: Variables;
  readonly lazy?: LazyVariables;
  readonly options: EvaluationOptions & { readonly interrupted: Patience };
}

function evaluatorOver({ lookup, lazy, options }: List, engine: CelEngine): EvaluateExpression {
  return (expression, budget) => {
    if (expression.outcome === 'failed') return { outcome: 'uncompilable', error: expression.error };
    options.interrupted.renew();
    const { compiled } = expression;
    const run = engine.evaluateWithin({ remaining: budget, lazy }, compiled, lookup, options);
    if (run.outcome === 'fatal') return { outcome: 'out-of-budget' };
    const { evaluation } = run;
    const parts = (): readonly ExpressionValue[] =>
      evaluation.cost > dearestExplained ? [] : shown(engine.explain(compiled, lookup, options));
    const cost = budget - run.remaining;
    return evaluation.outcome === 'value'
      ? { outcome: 'value', value: evaluation.value, cost, parts }
      : { outcome: 'error', error: evaluation.error, cost, parts };
  };
}

/** Characters: all of one body, and far more than one server has; what came of them is a hundred times as large. */
const mostKept = 4_000_000;

/** Keeps what was compiled, by environment and text. Those with `variables` are kept by whoever declares these. */
function createCompilations({ compileAdmission: compile }: CelEngine): Expressions['compile'] {
  const kept = new Map<string, Compilation>();
  let size = 0;
  return (text, environment, returns) => {
    if (environment.variables !== undefined) return compile(text, environment, returns);
    const key = `${environmentKey(environment)} ${returns?.join() ?? ''} ${text}`;
    const known = kept.get(key);
    if (known) return known;
    const compilation = compile(text, environment, returns);
    size += key.length;
    if (size > mostKept) {
      kept.clear();
      size = key.length;
    }
    kept.set(key, compilation);
    return compilation;
  };
}

const environmentKey = ({ stored, params, authorizer, patch }: AdmissionEnvironmentOptions): string =>
  `${stored}/${params ?? false}/${authorizer ?? true}/${patch ?? false}`;

/** The values of a few parts, short enough for a line of text. */
const shown = (parts: readonly ExpressionValue[]): readonly ExpressionValue[] =>
  parts.slice(0, mostShown).map(({ expression, value }) => ({
    expression,
    value: value.length > longestShown ? `${value.slice(0, longestShown)}…` : value,
  }));

/** Milliseconds of processors: several times what the cost limit leaves room for, also before the machine is warm. */
const longestEvaluation = 250;

interface Patience {
  (): boolean;
  readonly renew: () => void;
}

/**
 * Says when an evaluation, and its explanation, has taken too long; the server does nothing else meanwhile. The time
 * counts from the first question, which most expressions never ask.
 */
function patience(now: Clock['now']): Patience {
  let end: number | undefined;
  const isOver = (): boolean => {
    const time = now();
    end ??= time + longestEvaluation;
    return time > end;
  };
  return Object.assign(isOver, { renew: () => (end = undefined) });
}

function lookupOf(
  { object, oldObject, request, namespaceObject, params, asker }: ExpressionVariables,
  authorize: Authorize,
): (name: string) => Value | undefined {
  return (name) => {
    switch (name) {
      case 'object':
        return object;
      case 'oldObject':
        return oldObject;
      case 'request':
        return request();
      case 'namespaceObject':
        return namespaceObject();
      case 'params':
        return params;
      case 'authorizer':
        return asker === null ? undefined : authorizerVariable(asker, authorize);
      case 'authorizer.requestResource':
        return asker === null ? undefined : requestResourceVariable(asker, authorize);
      default:
        return undefined;
    }
  };
}
