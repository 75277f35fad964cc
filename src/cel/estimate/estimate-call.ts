import { callArguments, type CallExpr } from '../syntax/ast.ts';
import type { CallEstimate, EstimatedCall } from '../library/cel-function.ts';
import { costOf } from '../library/functions.ts';
import {
  type CostRange,
  costUnion,
  type Estimator,
  joinEntries,
  largest,
  none,
  plus,
  sizeOrUnknown,
  sum,
} from './estimator.ts';

/** A call with its arguments; where several overloads are possible, all of them. Follows cel-go checker/cost.go. */
export function estimateCall(estimator: Estimator, expr: CallExpr): CostRange {
  const reference = estimator.checked.references.get(expr.id);
  if (reference?.means !== 'function') return none;
  const { name, overloads } = reference;
  const args = callArguments(expr, name);
  const argumentCosts = args.map(estimator.cost);
  const size = (index: number): CostRange => sizeOrUnknown(estimator, args[index]);
  let cost: CostRange = { min: largest, max: 0n };
  let result: CostRange | undefined;
  for (const overload of overloads) {
    const estimate = estimateOverload(name, { estimator, expr, overload, args, size }, argumentCosts);
    cost = costUnion(cost, estimate.cost);
    if (estimate.size !== undefined) result = result === undefined ? estimate.size : costUnion(result, estimate.size);
    result = indexResult(estimator, expr, overload) ?? result ?? estimator.sizeOf(expr);
  }
  estimator.setSize(expr, result);
  return cost;
}

/** The path and the size of what an index finds. */
function indexResult(estimator: Estimator, expr: CallExpr, overload: string): CostRange | undefined {
  const [operand] = expr.args;
  if (operand === undefined || (overload !== 'index_list' && overload !== 'index_map')) return undefined;
  estimator.setPath(expr, [...estimator.pathOf(operand), overload === 'index_list' ? '@items' : '@values']);
  return estimator.entriesOf(operand)?.value;
}

/** The estimate of a call with its arguments, of which the operators evaluate some only. */
function estimateOverload(name: string, call: EstimatedCall, argumentCosts: readonly CostRange[]): CallEstimate {
  const [first = none, second = none, third = none] = argumentCosts;
  if (call.overload === 'logical_and' || call.overload === 'logical_or') {
    return { cost: { min: first.min, max: plus(first, second).max } };
  }
  if (call.overload === 'conditional') return estimateConditional(call, plus(first, costUnion(second, third)));
  const { cost, size } = costOf(name, call.overload).estimate(call);
  return { cost: plus(cost, sum(argumentCosts)), size };
}

function estimateConditional({ estimator, expr, args, size }: EstimatedCall, cost: CostRange): CallEstimate {
  const [, truthy, falsy] = args;
  estimator.setEntries(expr, truthy && falsy && joinEntries(estimator.entriesOf(truthy), estimator.entriesOf(falsy)));
  return { cost, size: costUnion(size(1), size(2)) };
}
