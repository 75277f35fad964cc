import { placeOf } from '../value/equality.ts';
import type { CelOperation } from '../run/operation.ts';
import { isCelList, noSuchOverload, type Value } from '../value/value.ts';

type List = readonly Value[];

const onLists =
  (test: (a: List, b: List) => boolean): CelOperation =>
  (a, b) =>
    isCelList(a) && isCelList(b) ? test(a, b) : noSuchOverload;

const has = (list: List, wanted: Value): boolean => placeOf(list, wanted) >= 0;

/** Is there an element that the list has, or has not? */
const hasOne = (sub: List, list: List, isWithin: boolean): boolean =>
  sub.some((element) => has(list, element) === isWithin);

const contains = (list: List, sub: List): boolean => !hasOne(sub, list, false);

/** Lists as sets. Follows cel-go ext/sets.go. */
export const setOperations: readonly (readonly [string, CelOperation])[] = [
  ['sets.contains', onLists(contains)],
  ['sets.intersects', onLists((a, b) => hasOne(b, a, true))],
  ['sets.equivalent', onLists((a, b) => contains(a, b) && contains(b, a))],
];
