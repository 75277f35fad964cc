import type { ComprehensionExpr } from '../syntax/ast.ts';
import { charge, chargeUnits, countRound } from './frame.ts';
import type { Frame, Step } from './frame.ts';
import { accumulator } from '../syntax/macro-fold.ts';
import type { Planner } from './planner.ts';
import { runRounds } from './rounds.ts';
import { CelError, noSuchOverload } from '../value/value.ts';
import type { Result } from '../value/value.ts';

/** A loop of `all` or `exists`, which needs no accumulator in a slot. */
export interface Quantifier {
  /** The value of an element that ends the loop: false for `all`, true for `exists`. */
  readonly decisive: boolean;
  readonly predicate: Step;
}

/** Recognises the loops that the macros `all` and `exists` make. */
export function planQuantifier(planner: Planner, expr: ComprehensionExpr): Quantifier | undefined {
  const { step, condition } = expr;
  if (expr.accumulator !== accumulator || step.type !== 'call' || condition.type !== 'call') return undefined;
  if (condition.name !== '@not_strictly_false' || (step.name !== '_&&_' && step.name !== '_||_')) return undefined;
  const predicate = step.args[1];
  return predicate && { decisive: step.name === '_||_', predicate: planner.plan(predicate).step };
}

/**
 * Costs what the fold costs: looking at the accumulator before each round, `&&` or `||` in it, and the result after.
 * An error is kept, unless a later element decides.
 */
export function runQuantifier(
  frame: Frame,
  { decisive, predicate }: Quantifier,
  rounds: number,
  setVariables: (round: number) => void,
): Result {
  const roundCost = decisive ? 4 : 3;
  const start = (): { accumulated: Result } => ({ accumulated: !decisive });
  const found = runRounds(frame, { count: rounds, slot: undefined }, start, (so, round) => {
    if (so.accumulated === decisive) {
      chargeUnits(frame, roundCost - 1);
      return false;
    }
    setVariables(round);
    chargeUnits(frame, roundCost);
    const value = predicate(frame);
    if (value === decisive) so.accumulated = decisive;
    else if (typeof value !== 'boolean' && !(so.accumulated instanceof CelError)) {
      so.accumulated = value instanceof CelError ? value : noSuchOverload;
    }
    countRound(frame);
    return true;
  });
  charge(frame, 1);
  return found.accumulated;
}
