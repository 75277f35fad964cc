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
  costUnion,
  createEstimator,
  type EntrySizes,
  type Estimator,
  fixed,
  largest,
  type LoopVariable,
  none,
  one,
  plus,
  type SizeAt,
  sizeOrUnknown,
  sum,
  times,
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

const listCost = fixed(10n);
const mapCost = fixed(30n);
const structCost = fixed(40n);

function estimateExpr(estimator: Estimator, expr: Expr): CostRange {
  switch (expr.type) {
    case 'constant':
    case 'unspecified':
      return none;
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
      return plus(sum(expr.entries.map(({ value }) => estimator.cost(value))), structCost);
    case 'comprehension':
      return isBinding(expr) ? estimateBinding(estimator, expr) : estimateLoop(estimator, expr);
  }
}

function estimateIdent(estimator: Estimator, expr: IdentExpr): CostRange {
  estimator.setPath(expr, estimator.local(expr.name)?.path ?? [expr.name]);
  return one;
}

/** A presence test is free; a field of a value of unknown type too, which only runs dearer. */
function estimateSelect(estimator: Estimator, expr: SelectExpr): CostRange {
  const operand = estimator.cost(expr.operand);
  if (expr.testOnly) return operand;
  const { kind } = estimator.typeOf(expr.operand);
  estimator.setPath(expr, [...estimator.pathOf(expr.operand), expr.field]);
  return kind === 'map' || kind === 'struct' || kind === 'param' ? plus(operand, one) : operand;
}

function estimateList(estimator: Estimator, expr: ListExpr): CostRange {
  const cost = sum(expr.elements.map(estimator.cost));
  estimator.setEntries(expr, { container: 'list', key: one, value: unionSizes(estimator, expr.elements) });
  return plus(cost, listCost);
}

function estimateMap(estimator: Estimator, expr: MapExpr): CostRange {
  const cost = sum(expr.entries.flatMap(({ key, value }) => [estimator.cost(key), estimator.cost(value)]));
  const key = unionSizes(
    estimator,
    expr.entries.map((entry) => entry.key),
  );
  const value = unionSizes(
    estimator,
    expr.entries.map((entry) => entry.value),
  );
  estimator.setEntries(expr, { container: 'map', key, value });
  return plus(cost, mapCost);
}

const unionSizes = (estimator: Estimator, exprs: readonly Expr[]): CostRange =>
  exprs.length === 0
    ? none
    : exprs.map((expr) => sizeOrUnknown(estimator, expr)).reduce(costUnion, { min: largest, max: 0n });

function estimateLoop(estimator: Estimator, expr: ComprehensionExpr): CostRange {
  const { range, init } = expr;
  const before = plus(estimator.cost(range), estimator.cost(init));
  const accumulator: LoopVariable = {
    path: estimator.pathOf(init),
    size: estimator.sizeOf(init),
    entries: estimator.entriesOf(init),
  };
  return estimator.within([[expr.accumulator, accumulator]], () => {
    const round = estimator.within(loopVariables(estimator, expr), () =>
      plus(estimator.cost(expr.condition), estimator.cost(expr.step)),
    );
    const result = estimator.cost(expr.result);
    const rounds = sizeOrUnknown(estimator, range);
    recordResult(estimator, expr, rounds);
    return sum([before, result, times(rounds, round)]);
  });
}

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
  const before = plus(estimator.cost(expr.range), estimator.cost(expr.init));
  const { init, result } = expr;
  const bound: LoopVariable = {
    path: estimator.pathOf(init),
    size: estimator.sizeOf(init),
    entries: estimator.entriesOf(init),
  };
  return estimator.within([[expr.accumulator, bound]], () => {
    const cost = plus(before, estimator.cost(result));
    estimator.setSize(expr, estimator.sizeOf(result));
    estimator.setEntries(expr, estimator.entriesOf(result));
    return cost;
  });
}

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
