import type { CallExpr } from '../syntax/ast.ts';
import { costOf } from './call-cost.ts';
import { equals } from '../value/equality.ts';
import { callStep } from './plan-function.ts';
import { constantPlan } from './planner.ts';
import type { Plan, Planner } from './planner.ts';
import { CelError, noSuchOverload } from '../value/value.ts';

/**
 * `&&` and `||`: one decisive operand is enough, on either side of a failure. Free of cost themselves.
 * Follows cel-go interpreter/interpretable.go evalOr and evalAnd.
 */
export function planLogic(planner: Planner, expr: CallExpr, decisive: boolean): Plan {
  const [left = constantPlan(null), right = constantPlan(null)] = expr.args.map(planner.plan);
  const first = left.step;
  const second = right.step;
  return {
    step: (frame) => {
      const a = first(frame);
      if (a === decisive) return decisive;
      const b = second(frame);
      if (b === decisive) return decisive;
      if (typeof a !== 'boolean') return a instanceof CelError ? a : noSuchOverload;
      if (typeof b !== 'boolean') return b instanceof CelError ? b : noSuchOverload;
      return !decisive;
    },
  };
}

/** `==` and `!=`. */
export function planEquals(planner: Planner, expr: CallExpr): Plan {
  const plans = expr.args.map(planner.plan);
  const expected = expr.name === '_==_';
  return {
    step: callStep((a, b) => equals(a, b) === expected, plans, costOf(expr.name, expected ? 'equals' : 'not_equals')),
  };
}
