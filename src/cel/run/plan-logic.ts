import type { CallExpr } from '../syntax/ast.ts';
import { costOf } from './call-cost.ts';
import { equals } from '../value/equality.ts';
import { callStep } from './plan-function.ts';
import { constantPlan } from './planner.ts';
import type { Plan, Planner } from './planner.ts';
import { listKindOf } from '../value/list-kind.ts';
import { Box, CelError, isList, isMap, noSuchOverload } from '../value/value.ts';
import type { Value } from '../value/value.ts';

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

/** Kubernetes' own types, and the objects, sets and maps of a schema, compare with their like only. */
function refuses(a: Value, b: Value): boolean {
  if (typeof a !== 'object' || a === null || b === null) return false;
  if (isList(a)) return listKindOf(a) !== undefined && !isList(b);
  if (!(a instanceof Box)) return false;
  return a.kind === 'object' ? !isMap(b) : own.has(a.kind) && !(b instanceof Box && b.kind === a.kind);
}

const own: ReadonlySet<string> = new Set(['url', 'ip', 'cidr', 'quantity', 'semver', 'format', 'authorizer']);

/** `==` and `!=`. */
export function planEquals(planner: Planner, expr: CallExpr): Plan {
  const plans = expr.args.map(planner.plan);
  const expected = expr.name === '_==_';
  return {
    step: callStep(
      (a, b) => (refuses(a, b) ? noSuchOverload : equals(a, b) === expected),
      plans,
      costOf(expr.name, expected ? 'equals' : 'not_equals'),
    ),
  };
}
