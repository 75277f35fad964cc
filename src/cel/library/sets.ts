import { placeOf } from '../value/equality.ts';
import type { Operation } from '../run/operation.ts';
import { isList, noSuchOverload, type Value } from '../value/value.ts';

type List = readonly Value[];

const onLists =
  (test: (a: List, b: List) => boolean): Operation =>
  (a, b) =>
    isList(a) && isList(b) ? test(a, b) : noSuchOverload;

const has = (list: List, wanted: Value): boolean => placeOf(list, wanted) >= 0;

/** Is there an element that the list has, or has not? */
const hasOne = (sub: List, list: List, isWithin: boolean): boolean =>
  sub.some((element) => has(list, element) === isWithin);

const contains = (list: List, sub: List): boolean => !hasOne(sub, list, false);

/** Lists as sets. Follows cel-go ext/sets.go. */
export const setOperations: readonly (readonly [string, Operation])[] = [
  ['sets.contains', onLists(contains)],
  ['sets.intersects', onLists((a, b) => hasOne(b, a, true))],
  ['sets.equivalent', onLists((a, b) => contains(a, b) && contains(b, a))],
];
