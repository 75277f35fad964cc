import type { ComprehensionExpr } from '../syntax/ast.ts';
import { charge, chargeUnits, countRound } from './frame.ts';
import type { Frame, Step } from './frame.ts';
import { accumulator } from '../syntax/macro-fold.ts';
import type { Planner } from './planner.ts';
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
  let accumulated: Result = !decisive;
  for (let round = 0; round < rounds; round += 1) {
    if (accumulated === decisive) {
      chargeUnits(frame, roundCost - 1);
      break;
    }
    setVariables(round);
    chargeUnits(frame, roundCost);
    const value = predicate(frame);
    if (value === decisive) accumulated = decisive;
    else if (typeof value !== 'boolean' && !(accumulated instanceof CelError)) {
      accumulated = value instanceof CelError ? value : noSuchOverload;
    }
    countRound(frame);
  }
  charge(frame, 1);
  return accumulated;
}
