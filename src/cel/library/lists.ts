import { add } from '../value/arithmetic.ts';
import { compare } from '../value/compare.ts';
import { equals } from '../value/equality.ts';
import type { Operation } from '../run/operation.ts';
import { box, CelError, isInt, isList, noSuchOverload } from '../value/value.ts';
import type { Result, Value } from '../value/value.ts';
import { smallInt } from './argument.ts';

export const indexOfElement = (list: readonly Value[], wanted: Value): number =>
  list.findIndex((element) => equals(element, wanted));

export const lastIndexOfElement = (list: readonly Value[], wanted: Value): number =>
  list.findLastIndex((element) => equals(element, wanted));

type ListOperation = (list: readonly Value[], argument: Value, second: Value) => Result;

const onList =
  (run: ListOperation): Operation =>
  (list, argument, second) =>
    isList(list) ? run(list, argument, second) : noSuchOverload;

function isSorted(list: readonly Value[]): Result {
  for (let index = 1; index < list.length; index += 1) {
    const order = compare(list[index - 1] ?? null, list[index] ?? null);
    if (order === undefined) return noSuchOverload;
    if (order > 0) return false;
  }
  return true;
}

/** The kind of nothing that an empty sum is. */
function sum(list: readonly Value[]): Result {
  const [first = 0, ...rest] = list;
  return rest.reduce<Result>((total, element) => add(total, element), first);
}

const extreme =
  (name: string, better: (order: number) => boolean): ListOperation =>
  (list) => {
    let [best] = list;
    if (best === undefined) return new CelError(`${name} called on empty list`);
    for (const element of list.slice(1)) {
      const order = compare(element, best);
      if (order === undefined) return noSuchOverload;
      if (better(order)) best = element;
    }
    return best;
  };

function distinct(list: readonly Value[]): Result {
  const made: Value[] = [];
  for (const element of list) if (!made.some((other) => equals(other, element))) made.push(element);
  return made;
}

function flatten(list: readonly Value[], depth: Value): Result {
  const levels = depth === null ? 1 : smallInt(depth);
  if (levels === undefined) return noSuchOverload;
  return levels < 0 ? new CelError('level must be non-negative') : flattened(list, levels);
}

const flattened = (list: readonly Value[], depth: number): readonly Value[] =>
  list.flatMap((element): readonly Value[] => {
    if (!isList(element) || depth === 0) return [element];
    return flattened(element, depth - 1);
  });

function slice(list: readonly Value[], from: Value, to: Value): Result {
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

/** Sorted by the keys at the same places; only keys of one comparable type have an order. */
function sortBy(list: readonly Value[], keys: Value): Result {
  if (!isList(keys)) return noSuchOverload;
  if (keys.length !== list.length) {
    return new CelError(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${keys.length} and ${list.length} elements respectively`,
    );
  }
  if (isSortable(keys) === false) return new CelError('list elements must have the same type');
  const order = keys.map((_key, index) => index);
  order.sort((a, b) => compare(keys[a] ?? null, keys[b] ?? null) ?? 0);
  return order.map((index) => list[index] ?? null);
}

const isSortable = (keys: readonly Value[]): boolean =>
  keys.every((key) => compare(key, keys[0] ?? null) !== undefined && isInt(key) === isInt(keys[0] ?? null));

const range: Operation = (size) => {
  const count = smallInt(size);
  if (count === undefined) return noSuchOverload;
  return Array.from({ length: Math.max(0, count) }, (_value, index) => index);
};

/** `first()` and `last()` answer an optional. */
const end =
  (pick: (list: readonly Value[]) => Value | undefined): ListOperation =>
  (list) =>
    box('optional', pick(list));

const includes: ListOperation = (list, wanted) => list.some((element) => equals(element, wanted));

/** The list functions. Follows apiserver pkg/cel/library/lists.go and cel-go ext/lists.go. */
export const listOperations: readonly (readonly [string, Operation])[] = [
  ['isSorted', onList(isSorted)],
  ['sum', onList(sum)],
  ['min', onList(extreme('min', (order) => order < 0))],
  ['max', onList(extreme('max', (order) => order > 0))],
  ['distinct', onList(distinct)],
  ['flatten', onList(flatten)],
  ['lists.range', range],
  ['reverse', onList((list) => list.toReversed())],
  ['slice', onList(slice)],
  ['sort', onList((list) => sortBy(list, list))],
  ['@sortByAssociatedKeys', onList(sortBy)],
  ['first', onList(end((list) => list[0]))],
  ['last', onList(end((list) => list.at(-1)))],
  ['includes', onList(includes)],
];
