import type { Compiled } from './compile.ts';
import { evaluate, type CelEvaluation, type EvaluationOptions, type Variables } from './evaluate.ts';
import type { LazyVariables } from './lazy-variables.ts';
import { outOfBudget } from './frame.ts';

/** The value of one expression of a list, and the budget left for the rest of the list. */
export type BudgetedEvaluation =
  | { readonly outcome: 'evaluated'; readonly evaluation: CelEvaluation; readonly remaining: number }
  /** Ends the list, whatever the failure policy of each expression. */
  | { readonly outcome: 'fatal'; readonly error: string };

export interface Budget {
  readonly remaining: number;
  /** The `variables` of the list: what their first use costs is paid by the expression that uses them. */
  readonly lazy?: LazyVariables | undefined;
}

/** Evaluates one expression of a list that shares a budget. Follows apiserver pkg/admission/plugin/cel/activation.go. */
export function evaluateWithin(
  { remaining, lazy }: Budget,
  compiled: Compiled,
  variables: Variables,
  options: EvaluationOptions = {},
): BudgetedEvaluation {
  const { before } = { before: lazy?.cost() ?? 0 };
  const evaluation = evaluate(compiled, variables, options);
  const spent = evaluation.cost + (lazy?.cost() ?? 0) - before;
  if (spent > remaining) return { outcome: 'fatal', error: outOfBudget };
  return { outcome: 'evaluated', evaluation, remaining: remaining - spent };
}
