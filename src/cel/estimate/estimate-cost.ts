import type { ComprehensionExpr, Expr, IdentExpr, ListExpr, MapExpr, SelectExpr } from '../syntax/ast.ts';
import type { Checked } from '../check/checker.ts';
import { estimateCall } from './estimate-call.ts';
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
} from './estimator.ts';

/**
 * The least and the most that an expression can cost, without evaluating it. `sizeAt` returns the possible sizes of
 * strings, lists and maps. Follows cel-go checker/cost.go.
 */
export const estimateCost = (checked: Checked, sizeAt: SizeAt): CostRange =>
  createEstimator(checked, sizeAt, costOf).cost(checked.ast.root);

const listCost = fixed(10n);
const mapCost = fixed(30n);
const structCost = fixed(40n);

function costOf(estimator: Estimator, expr: Expr): CostRange {
  switch (expr.type) {
    case 'constant':
    case 'unspecified':
      return none;
    case 'ident':
      return identCost(estimator, expr);
    case 'select':
      return selectCost(estimator, expr);
    case 'call':
      return estimateCall(estimator, expr);
    case 'list':
      return listLiteralCost(estimator, expr);
    case 'map':
      return mapLiteralCost(estimator, expr);
    case 'struct':
      return plus(sum(expr.entries.map(({ value }) => estimator.cost(value))), structCost);
    case 'comprehension':
      return isBinding(expr) ? bindingCost(estimator, expr) : loopCost(estimator, expr);
  }
}

function identCost(estimator: Estimator, expr: IdentExpr): CostRange {
  estimator.setPath(expr, estimator.local(expr.name)?.path ?? [expr.name]);
  return one;
}

/** A presence test is free; a field of a value of unknown type too, which only runs dearer. */
function selectCost(estimator: Estimator, expr: SelectExpr): CostRange {
  const operand = estimator.cost(expr.operand);
  if (expr.testOnly) return operand;
  const { kind } = estimator.typeOf(expr.operand);
  estimator.setPath(expr, [...estimator.pathOf(expr.operand), expr.field]);
  return kind === 'map' || kind === 'struct' || kind === 'param' ? plus(operand, one) : operand;
}

function listLiteralCost(estimator: Estimator, expr: ListExpr): CostRange {
  const cost = sum(expr.elements.map(estimator.cost));
  estimator.setEntries(expr, { container: 'list', key: one, value: sizesOf(estimator, expr.elements) });
  return plus(cost, listCost);
}

function mapLiteralCost(estimator: Estimator, expr: MapExpr): CostRange {
  const cost = sum(expr.entries.flatMap(({ key, value }) => [estimator.cost(key), estimator.cost(value)]));
  const key = sizesOf(
    estimator,
    expr.entries.map((entry) => entry.key),
  );
  const value = sizesOf(
    estimator,
    expr.entries.map((entry) => entry.value),
  );
  estimator.setEntries(expr, { container: 'map', key, value });
  return plus(cost, mapCost);
}

const sizesOf = (estimator: Estimator, exprs: readonly Expr[]): CostRange =>
  exprs.length === 0
    ? none
    : exprs.map((expr) => sizeOrUnknown(estimator, expr)).reduce(costUnion, { min: largest, max: 0n });

function loopCost(estimator: Estimator, expr: ComprehensionExpr): CostRange {
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

/** What `sortBy` makes of its list: a name for a value, in a loop that never runs. */
function isBinding({ range, condition, accumulator }: ComprehensionExpr): boolean {
  const isEmpty = range.type === 'list' && range.elements.length === 0;
  const isNever = condition.type === 'constant' && condition.constant.type === 'bool' && !condition.constant.value;
  return isEmpty && isNever && accumulator !== '@result' && accumulator !== '__result__';
}

function bindingCost(estimator: Estimator, expr: ComprehensionExpr): CostRange {
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
