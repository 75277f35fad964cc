import type { Compilation } from './compile.ts';
import { evaluate, type EvaluationOptions, type Variables } from './evaluate.ts';
import { box, CelError, type CelResult, type Value } from '../value/value.ts';

/** The `variables` of one list of expressions. */
export interface LazyVariables {
  readonly value: Value;
  /** What evaluating them has cost so far. */
  readonly cost: () => number;
  /** Those that have been evaluated, in the order in which that was over. */
  readonly used: () => readonly string[];
}

/**
 * `variables.x`, evaluated when it is first used and at most once. A failure fails the expression that uses the variable.
 * Follows apiserver pkg/admission/plugin/cel/composition.go.
 */
export function createVariables(
  compilations: ReadonlyMap<string, Compilation>,
  outer: Variables,
  options: EvaluationOptions,
): LazyVariables {
  const known = new Map<string, CelResult>();
  let cost = 0;
  const work = (name: string, compilation: Compilation): CelResult => {
    if (compilation.outcome === 'failed') {
      return new CelError(`composited variable "${name}" fails to compile: ${compilation.error}`);
    }
    const evaluation = evaluate(compilation.compiled, outer, options);
    cost += evaluation.cost;
    if (evaluation.outcome === 'value') return evaluation.value;
    return new CelError(`composited variable "${name}" fails to evaluate: ${evaluation.error}`);
  };
  const get = (name: string): CelResult | undefined => {
    const compilation = compilations.get(name);
    if (compilation === undefined) return undefined;
    if (!known.has(name)) {
      known.set(name, work(name, compilation));
    }
    return known.get(name);
  };
  return { value: box('lazy', { get }), cost: () => cost, used: () => [...known.keys()] };
}
