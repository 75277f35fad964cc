import {
  type ComprehensionExpr,
  type Expr,
  type IdentExpr,
  type ListExpr,
  type MapExpr,
  type SelectExpr,
  callArguments,
  type CallExpr,
} from '../syntax/ast.ts';
import type { Checked } from '../check/checker.ts';
import {
  type CostRange,
  unionCosts,
  createEstimator,
  type EntrySizes,
  type Estimator,
  fixedCost,
  maxUint64,
  type LoopVariable,
  zeroCost,
  costOfOne,
  addCosts,
  type SizeAt,
  sizeOrUnknown,
  sumCosts,
  multiplyCosts,
  joinEntries,
} from './estimator.ts';
import type { CallEstimate, EstimatedCall } from '../library/cel-function.ts';
import { costOf } from '../library/functions.ts';

/**
 * The least and the most that an expression can cost, without evaluating it. `sizeAt` returns the possible sizes of
 * strings, lists and maps. Follows cel-go checker/cost.go.
 */
export const estimateCost = (checked: Checked, sizeAt: SizeAt): CostRange =>
  createEstimator(checked, sizeAt, estimateExpr).cost(checked.ast.root);

const listCost = fixedCost(10n);
const mapCost = fixedCost(30n);
const structCost = fixedCost(40n);

function estimateExpr(estimator: Estimator, expr: Expr): CostRange {
  switch (expr.type) {
    case 'constant':
    case 'unspecified':
      return zeroCost;
    case 'ident':
      return estimateIdent(estimator, expr);
    case 'select':
      return estimateSelect(estimator, expr);
    case 'call':
      return estimateCall(estimator, expr);
    case 'list':
      return estimateList(estimator, expr);
    case 'map':
      return estimateMap(estimator, expr);
    case 'struct':
      return addCosts(sumCosts(expr.entries.map(({ value }) => estimator.cost(value))), structCost);
    case 'comprehension':
      return isBinding(expr) ? estimateBinding(estimator, expr) : estimateLoop(estimator, expr);
  }
}

function estimateIdent(estimator: Estimator, expr: IdentExpr): CostRange {
  estimator.setPath(expr, estimator.local(expr.name)?.path ?? [expr.name]);
  return costOfOne;
}

/** A presence test is free; a field of a value of unknown type too, which only runs dearer. */
function estimateSelect(estimator: Estimator, expr: SelectExpr): CostRange {
  const operand = estimator.cost(expr.operand);
  if (expr.testOnly) return operand;
  const { kind } = estimator.typeOf(expr.operand);
  estimator.setPath(expr, [...estimator.pathOf(expr.operand), expr.field]);
  return kind === 'map' || kind === 'struct' || kind === 'param' ? addCosts(operand, costOfOne) : operand;
}

function estimateList(estimator: Estimator, expr: ListExpr): CostRange {
  const cost = sumCosts(expr.elements.map(estimator.cost));
  estimator.setEntries(expr, { container: 'list', key: costOfOne, value: unionSizes(estimator, expr.elements) });
  return addCosts(cost, listCost);
}

function estimateMap(estimator: Estimator, expr: MapExpr): CostRange {
  const cost = sumCosts(expr.entries.flatMap(({ key, value }) => [estimator.cost(key), estimator.cost(value)]));
  const key = unionSizes(
    estimator,
    expr.entries.map((entry) => entry.key),
  );
  const value = unionSizes(
    estimator,
    expr.entries.map((entry) => entry.value),
  );
  estimator.setEntries(expr, { container: 'map', key, value });
  return addCosts(cost, mapCost);
}

const unionSizes = (estimator: Estimator, exprs: readonly Expr[]): CostRange =>
  exprs.length === 0
    ? zeroCost
    : exprs.map((expr) => sizeOrUnknown(estimator, expr)).reduce(unionCosts, { min: maxUint64, max: 0n });

function estimateLoop(estimator: Estimator, expr: ComprehensionExpr): CostRange {
  const { range, init } = expr;
  const before = addCosts(estimator.cost(range), estimator.cost(init));
  return estimator.within([[expr.accumulator, accumulatorOf(estimator, init)]], () => {
    const round = estimator.within(loopVariables(estimator, expr), () =>
      addCosts(estimator.cost(expr.condition), estimator.cost(expr.step)),
    );
    const result = estimator.cost(expr.result);
    const rounds = sizeOrUnknown(estimator, range);
    recordResult(estimator, expr, rounds);
    return sumCosts([before, result, multiplyCosts(rounds, round)]);
  });
}

const accumulatorOf = (estimator: Estimator, init: Expr): LoopVariable => ({
  path: estimator.pathOf(init),
  size: estimator.sizeOf(init),
  entries: estimator.entriesOf(init),
});

function recordResult(estimator: Estimator, expr: ComprehensionExpr, rounds: CostRange): void {
  if (expr.init.type === 'constant') estimator.setSize(expr, estimator.sizeOf(expr.init));
  if (expr.init.type !== 'list' && expr.init.type !== 'map') return;
  estimator.setSize(expr, rounds);
  estimator.setEntries(expr, estimator.entriesOf(expr.step));
}

type Variables = readonly (readonly [string, LoopVariable])[];

function loopVariables(estimator: Estimator, { range, variable, variable2 }: ComprehensionExpr): Variables {
  const entries = estimator.entriesOf(range);
  const isList = (entries?.container ?? estimator.typeOf(range).kind) === 'list';
  const path = estimator.pathOf(range);
  const of = (step: string, size: keyof EntrySizes & ('key' | 'value')): LoopVariable => ({
    path: [...path, step],
    size: entries?.[size],
    entries: undefined,
  });
  if (variable2 === undefined) return [[variable, isList ? of('@items', 'value') : of('@keys', 'key')]];
  return [
    [variable, of(isList ? '@indices' : '@keys', 'key')],
    [variable2, of(isList ? '@items' : '@values', 'value')],
  ];
}

/** The expansion of `sortBy`: it binds the list to a variable with a loop that never runs. */
function isBinding({ range, condition, accumulator }: ComprehensionExpr): boolean {
  const isEmpty = range.type === 'list' && range.elements.length === 0;
  const isNever = condition.type === 'constant' && condition.constant.type === 'bool' && !condition.constant.value;
  return isEmpty && isNever && accumulator !== '@result' && accumulator !== '__result__';
}

function estimateBinding(estimator: Estimator, expr: ComprehensionExpr): CostRange {
  const before = addCosts(estimator.cost(expr.range), estimator.cost(expr.init));
  const { init, result } = expr;
  return estimator.within([[expr.accumulator, accumulatorOf(estimator, init)]], () => {
    const cost = addCosts(before, estimator.cost(result));
    estimator.setSize(expr, estimator.sizeOf(result));
    estimator.setEntries(expr, estimator.entriesOf(result));
    return cost;
  });
}

/** A call with its arguments; where several overloads are possible, all of them. Follows cel-go checker/cost.go. */
export function estimateCall(estimator: Estimator, expr: CallExpr): CostRange {
  const reference = estimator.checked.references.get(expr.id);
  if (reference?.means !== 'function') return zeroCost;
  const { name, overloads } = reference;
  const args = callArguments(expr, name);
  const argumentCosts = args.map(estimator.cost);
  const size = (index: number): CostRange => sizeOrUnknown(estimator, args[index]);
  let cost: CostRange = { min: maxUint64, max: 0n };
  let result: CostRange | undefined;
  for (const overload of overloads) {
    const estimate = estimateOverload(name, { estimator, expr, overload, args, size }, argumentCosts);
    cost = unionCosts(cost, estimate.cost);
    if (estimate.size !== undefined) result = result === undefined ? estimate.size : unionCosts(result, estimate.size);
    result = estimateIndexedSize(estimator, expr, overload) ?? result ?? estimator.sizeOf(expr);
  }
  estimator.setSize(expr, result);
  return cost;
}

/** The path and the size of an indexed value. */
function estimateIndexedSize(estimator: Estimator, expr: CallExpr, overload: string): CostRange | undefined {
  const [operand] = expr.args;
  if (operand === undefined || (overload !== 'index_list' && overload !== 'index_map')) return undefined;
  estimator.setPath(expr, [...estimator.pathOf(operand), overload === 'index_list' ? '@items' : '@values']);
  return estimator.entriesOf(operand)?.value;
}

/** The estimate of a call with its arguments, of which the operators evaluate some only. */
function estimateOverload(name: string, call: EstimatedCall, argumentCosts: readonly CostRange[]): CallEstimate {
  const [first = zeroCost, second = zeroCost, third = zeroCost] = argumentCosts;
  if (call.overload === 'logical_and' || call.overload === 'logical_or') {
    return { cost: { min: first.min, max: addCosts(first, second).max } };
  }
  if (call.overload === 'conditional') return estimateConditional(call, addCosts(first, unionCosts(second, third)));
  const { cost, size } = costOf(name, call.overload).estimate(call);
  return { cost: addCosts(cost, sumCosts(argumentCosts)), size };
}

function estimateConditional({ estimator, expr, args, size }: EstimatedCall, cost: CostRange): CallEstimate {
  const [, truthy, falsy] = args;
  estimator.setEntries(expr, truthy && falsy && joinEntries(estimator.entriesOf(truthy), estimator.entriesOf(falsy)));
  return { cost, size: unionCosts(size(1), size(2)) };
}
