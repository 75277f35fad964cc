import type { Compiled } from './compile.ts';
import { Cancelled, createMemoryBudget, type EvaluationFrame, type Observe, type MemoryBudget } from './frame.ts';
import { CelError, type CelResult, type Value } from '../value/value.ts';

/** The value of an expression, and its cost. */
export type CelEvaluation =
  | { readonly outcome: 'value'; readonly value: Value; readonly cost: number }
  | { readonly outcome: 'error'; readonly error: string; readonly cost: number };

export interface EvaluationOptions {
  /** Unlimited when not given. */
  readonly costLimit?: number | undefined;
  /** Called every 100 rounds of a loop; `true` ends the evaluation. */
  readonly interrupted?: (() => boolean) | undefined;
  /** For long values that are made; of one's own when not given. */
  readonly memory?: MemoryBudget | undefined;
  /** Receives the value of every part, by id. Slower; for explanations. */
  readonly observe?: Observe | undefined;
  /** Variables whose lists and maps are Go values; none when not given. */
  readonly isTyped?: ((variable: string) => boolean) | undefined;
}

/** The value of a variable, or why it has none; undefined for one that is not there, which then is null. */
export type Variables = (name: string) => CelResult | undefined;

/** The first slots hold the variables of the environment. */
function valuesOf(globals: readonly string[], slots: number, variables: Variables): CelResult[] {
  const values: CelResult[] = [];
  for (const name of globals) values.push(name === '' ? null : (variables(name) ?? null));
  while (values.length < slots) values.push(null);
  return values;
}

/** Runs a compiled expression. Follows cel-go cel/program.go. */
export function evaluate(compiled: Compiled, variables: Variables, options: EvaluationOptions = {}): CelEvaluation {
  const { step, globals, slots } = options.observe === undefined ? compiled.program : compiled.observed();
  const frame: EvaluationFrame = {
    slots: valuesOf(globals, slots, variables),
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
