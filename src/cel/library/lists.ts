import { Cancelled, type CelOperation, costExceeded, maxElements } from '../run/frame.ts';
import { add } from '../value/arithmetic.ts';
import { compareValues, equals, indexOfValue } from '../value/compare.ts';
import {
  CelError,
  type CelResult,
  type Value,
  box,
  isCelList,
  isInt,
  noSuchOverload,
  smallInt,
} from '../value/value.ts';
import {
  type CallEstimate,
  type FunctionCost,
  type FunctionRow,
  sizeOf,
  traversalCost,
  unitCost,
} from './cel-function.ts';
import {
  type CostRange,
  fixedCost,
  maxUint64,
  costOfOne,
  addCosts,
  scaleCost,
  multiplyCosts,
} from '../estimate/estimator.ts';
import type { Expr } from '../syntax/ast.ts';

type List = readonly Value[];

const onLists =
  (test: (a: List, b: List) => boolean): CelOperation =>
  (a, b) =>
    isCelList(a) && isCelList(b) ? test(a, b) : noSuchOverload;

const hasElement = (list: List, wanted: Value): boolean => indexOfValue(list, wanted) >= 0;

/** Does the list contain (or lack) an element of `sub`? */
const someElementIsIn = (sub: List, list: List, isWithin: boolean): boolean =>
  sub.some((element) => hasElement(list, element) === isWithin);

const contains = (list: List, sub: List): boolean => !someElementIsIn(sub, list, false);

const setCost = (factor: number): FunctionCost => ({
  runtime: (a, b) => 1 + factor * sizeOf(a) * sizeOf(b),
  estimate: ({ size }) => ({ cost: addCosts(scaleCost(multiplyCosts(size(0), size(1)), factor), costOfOne) }),
});

/** Lists as sets. Follows cel-go ext/sets.go. */
export const setFunctions: readonly FunctionRow[] = [
  ['sets.contains', onLists(contains), setCost(1)],
  ['sets.intersects', onLists((a, b) => someElementIsIn(b, a, true)), setCost(1)],
  ['sets.equivalent', onLists((a, b) => contains(a, b) && contains(b, a)), setCost(2)],
];

type ListOperation = (list: readonly Value[], argument: Value, second: Value) => CelResult;

const onList =
  (run: ListOperation): CelOperation =>
  (list, argument, second) =>
    isCelList(list) ? run(list, argument, second) : noSuchOverload;

function isSorted(list: readonly Value[]): CelResult {
  for (let at = 1; at < list.length; at += 1) {
    const order = compareValues(list[at - 1] ?? null, list[at] ?? null);
    if (order === undefined) return noSuchOverload;
    if (order > 0) return false;
  }
  return true;
}

/** An empty sum is 0 of the int type. */
const sum = (list: readonly Value[]): CelResult => list.slice(1).reduce<CelResult>(add, list[0] ?? 0);

const extreme =
  (name: string, better: (order: number) => boolean): ListOperation =>
  (list) => {
    const [first, ...others] = list;
    if (first === undefined) return new CelError(`${name} called on empty list`);
    let best: Value = first;
    for (const element of others) {
      const order = compareValues(element, best);
      if (order === undefined) return noSuchOverload;
      if (better(order)) best = element;
    }
    return best;
  };

function distinct(list: readonly Value[]): CelResult {
  const elements: Value[] = [];
  for (const element of list) {
    if (!elements.some((other) => equals(other, element))) elements.push(element);
  }
  return elements;
}

function flatten(list: readonly Value[], depth: Value): CelResult {
  const levels = depth === null ? 1 : smallInt(depth);
  if (levels === undefined) return noSuchOverload;
  return levels < 0 ? new CelError('level must be non-negative') : flattenToDepth(list, levels);
}

/** A list that is gone through, and where. */
interface FlattenLevel {
  readonly list: readonly Value[];
  readonly depth: number;
  at: number;
}

/** Nested repetitions of the same list may have too many elements. */
function flattenToDepth(list: readonly Value[], depth: number): readonly Value[] {
  const levels: FlattenLevel[] = [{ list, depth, at: 0 }];
  const elements: Value[] = [];
  let visited = 0;
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    if (level.at === level.list.length) {
      levels.pop();
      continue;
    }
    const element = level.list[level.at] ?? null;
    level.at += 1;
    visited += 1;
    if (visited > maxElements) throw new Cancelled(costExceeded);
    if (isCelList(element) && level.depth > 0) levels.push({ list: element, depth: level.depth - 1, at: 0 });
    else elements.push(element);
  }
  return elements;
}

function slice(list: readonly Value[], from: Value, to: Value): CelResult {
  const start = smallInt(from);
  const end = smallInt(to);
  if (start === undefined || end === undefined) return noSuchOverload;
  if (start < 0 || end < 0) {
    return new CelError(`cannot slice(${start}, ${end}), negative indexes not supported`);
  }
  if (start > end)
    return new CelError(`cannot slice(${start}, ${end}), start index must be less than or equal to end index`);
  if (end > list.length) return new CelError(`cannot slice(${start}, ${end}), list is length ${list.length}`);
  return list.slice(start, end);
}

/** Sorted by the keys at the same indexes; only keys of one comparable type have an order. */
function sortBy(list: readonly Value[], keys: Value): CelResult {
  if (!isCelList(keys)) return noSuchOverload;
  if (keys.length !== list.length) {
    return new CelError(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${keys.length} and ${list.length} elements respectively`,
    );
  }
  if (isSortable(keys) === false) return new CelError('list elements must have the same type');
  const order = keys.map((_key, index) => index);
  order.sort((a, b) => compareValues(keys[a] ?? null, keys[b] ?? null) ?? 0);
  return order.map((index) => list[index] ?? null);
}

const isSortable = (keys: readonly Value[]): boolean =>
  keys.every((key) => compareValues(key, keys[0] ?? null) !== undefined && isInt(key) === isInt(keys[0] ?? null));

const range: CelOperation = (size) => {
  const count = smallInt(size);
  if (count === undefined) return noSuchOverload;
  return Array.from({ length: Math.max(0, count) }, (_none, at) => at);
};

/** `first()` and `last()` answer an optional. */
const optionalElement =
  (pick: (list: readonly Value[]) => Value | undefined): ListOperation =>
  (list) =>
    box('optional', pick(list));

/** kube-apiserver estimates `includes` as 1. */
const includesCost: FunctionCost = { ...unitCost, runtime: traversalCost.runtime };

const newListCost = 11;

const estimateNewList = (size: CostRange, factor = 1): CallEstimate => ({
  cost: addCosts(scaleCost(size, factor), fixedCost(BigInt(newListCost))),
  size,
});

const reverseCost: FunctionCost = {
  runtime: (list) => newListCost + sizeOf(list),
  estimate: ({ size }) => estimateNewList(size(0)),
};

const flattenCost: FunctionCost = {
  runtime: (list, depth) => newListCost + sizeOf(list) * (typeof depth === 'number' ? depth : 1),
  estimate: ({ args: [, depth], size }) =>
    estimateNewList(size(0), depth === undefined ? 1 : Number(literalInt(depth, maxUint64))),
};

const sliceCost: FunctionCost = {
  runtime: (_list, _from, slice) => newListCost + sizeOf(slice),
  estimate: ({ args: [, from, to], size }) =>
    estimateNewList(fixedCost((literalInt(to, size(0).max) - literalInt(from, 0n)) & maxUint64)),
};

const rangeCost: FunctionCost = {
  runtime: (size) => newListCost + Math.max(0, isInt(size) ? Number(size) : 1),
  estimate: ({ args: [size] }) => estimateNewList(fixedCost(literalInt(size, maxUint64))),
};

const distinctCost: FunctionCost = {
  runtime: (list) => newListCost + 2 * sizeOf(list) ** 2,
  estimate: ({ size }) => estimateNewList(multiplyCosts(size(0), size(0)), 2),
};

/** Sorting compares every pair; strings and bytes cost a little more each time. */
const costPerPair = (isText: boolean): number => (isText ? 2.1 : 2);

function sortRuntimeCost(keys: CelResult): number {
  const key = isCelList(keys) ? keys[0] : undefined;
  const isText = typeof key === 'string' || key instanceof Uint8Array;
  return newListCost + Math.ceil(costPerPair(isText) * sizeOf(keys) ** 2);
}

const sortCost = (keysIndex: 0 | 1): FunctionCost => ({
  runtime: (list, keys) => sortRuntimeCost(keysIndex === 0 ? list : keys),
  estimate: ({ overload, size }) =>
    estimateNewList(
      multiplyCosts(size(keysIndex), size(keysIndex)),
      costPerPair(/^list_(?:string|bytes)_/.test(overload)),
    ),
});

/** The value of an int that the expression contains as a literal. */
function literalInt(expr: Expr | undefined, fallback: bigint): bigint {
  if (expr?.type !== 'constant' || expr.constant.type !== 'int') return fallback;
  return expr.constant.value & maxUint64;
}

/** The list functions. Follows apiserver pkg/cel/library/lists.go and cel-go ext/lists.go. */
export const listFunctions: readonly FunctionRow[] = [
  ['isSorted', onList(isSorted), traversalCost],
  ['sum', onList(sum), traversalCost],
  ['min', onList(extreme('min', (order) => order < 0)), traversalCost],
  ['max', onList(extreme('max', (order) => order > 0)), traversalCost],
  ['distinct', onList(distinct), distinctCost],
  ['flatten', onList(flatten), flattenCost],
  ['lists.range', range, rangeCost],
  ['reverse', onList((list) => list.toReversed()), reverseCost],
  ['slice', onList(slice), sliceCost],
  ['sort', onList((list) => sortBy(list, list)), sortCost(0)],
  ['@sortByAssociatedKeys', onList(sortBy), sortCost(1)],
  ['first', onList(optionalElement((list) => list[0])), unitCost],
  ['last', onList(optionalElement((list) => list.at(-1))), unitCost],
  ['includes', onList(hasElement), includesCost],
];
