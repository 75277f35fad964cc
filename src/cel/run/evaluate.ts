import type { Compiled, Compilation } from './compile.ts';
import {
  Cancelled,
  createMemoryBudget,
  type EvaluationFrame,
  type Observe,
  type MemoryBudget,
  outOfBudget,
} from './frame.ts';
import { CelError, type CelResult, type Value, box } from '../value/value.ts';

/** The value of an expression, and its cost. */
export type CelEvaluation =
  | { readonly outcome: 'value'; readonly value: Value; readonly cost: number }
  | { readonly outcome: 'error'; readonly error: string; readonly cost: number };

export interface EvaluationOptions {
  /** Unlimited when not given. */
  readonly costLimit?: number | undefined;
  /** Called every 100 rounds of a loop; `true` ends the evaluation. */
  readonly interrupted?: (() => boolean) | undefined;
  /** The budget for values that the evaluation creates; default: a new one. */
  readonly memory?: MemoryBudget | undefined;
  /** Receives the value of every part, by id. Slower; for explanations. */
  readonly observe?: Observe | undefined;
  /** Variables whose lists and maps are Go values; none when not given. */
  readonly isTyped?: ((variable: string) => boolean) | undefined;
}

/** The value of a variable, or its error; undefined for an absent variable, which is null. */
export type Variables = (name: string) => CelResult | undefined;

/** The first slots hold the variables of the environment. */
function fillSlots(globals: readonly string[], slots: number, variables: Variables): CelResult[] {
  const values: CelResult[] = [];
  for (const name of globals) values.push(name === '' ? null : (variables(name) ?? null));
  while (values.length < slots) values.push(null);
  return values;
}

/** Runs a compiled expression. Follows cel-go cel/program.go. */
export function evaluate(compiled: Compiled, variables: Variables, options: EvaluationOptions = {}): CelEvaluation {
  const { step, globals, slots } = options.observe === undefined ? compiled.program : compiled.observed();
  const frame: EvaluationFrame = {
    slots: fillSlots(globals, slots, variables),
    cost: 0,
    costLimit: options.costLimit ?? Infinity,
    rounds: 0,
    interrupted: options.interrupted,
    memory: options.memory ?? createMemoryBudget(),
    observe: options.observe,
    isTyped: options.isTyped,
  };
  try {
    const result = step(frame);
    if (result instanceof CelError) return { outcome: 'error', error: result.message, cost: frame.cost };
    return { outcome: 'value', value: result, cost: frame.cost };
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error;
    return { outcome: 'error', error: error.message, cost: frame.cost };
  }
}

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
  const evaluated = new Map<string, CelResult>();
  let cost = 0;
  const evaluateVariable = (name: string, compilation: Compilation): CelResult => {
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
    if (!evaluated.has(name)) {
      evaluated.set(name, evaluateVariable(name, compilation));
    }
    return evaluated.get(name);
  };
  return { value: box('lazy', { get }), cost: () => cost, used: () => [...evaluated.keys()] };
}

/** The value of one expression of a list, and the budget left for the rest of the list. */
export type BudgetedEvaluation =
  | { readonly outcome: 'evaluated'; readonly evaluation: CelEvaluation; readonly remaining: number }
  /** Ends the list, regardless of failure policies. */
  | { readonly outcome: 'fatal'; readonly error: string };

export interface Budget {
  readonly remaining: number;
  /** The `variables` of the list: the expression that uses a variable first pays its cost. */
  readonly lazy?: LazyVariables | undefined;
}

/** Evaluates one expression of a list that shares a budget. Follows apiserver pkg/admission/plugin/cel/activation.go. */
export function evaluateWithin(
  { remaining, lazy }: Budget,
  compiled: Compiled,
  variables: Variables,
  options: EvaluationOptions = {},
): BudgetedEvaluation {
  const before = lazy?.cost() ?? 0;
  const evaluation = evaluate(compiled, variables, options);
  const spent = evaluation.cost + (lazy?.cost() ?? 0) - before;
  if (spent > remaining) return { outcome: 'fatal', error: outOfBudget };
  return { outcome: 'evaluated', evaluation, remaining: remaining - spent };
}
