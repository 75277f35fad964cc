import { equals } from '../value/equality.ts';
import type { Operation } from '../run/operation.ts';
import { isList, noSuchOverload } from '../value/value.ts';
import type { Value } from '../value/value.ts';

type List = readonly Value[];

const onLists =
  (test: (a: List, b: List) => boolean): Operation =>
  (a, b) =>
    isList(a) && isList(b) ? test(a, b) : noSuchOverload;

const has = (list: List, wanted: Value): boolean => list.some((element) => equals(element, wanted));
const contains = (list: List, sub: List): boolean => sub.every((element) => has(list, element));

/** Lists as sets. Follows cel-go ext/sets.go. */
export const setOperations: readonly (readonly [string, Operation])[] = [
  ['sets.contains', onLists(contains)],
  ['sets.intersects', onLists((a, b) => b.some((element) => has(a, element)))],
  ['sets.equivalent', onLists((a, b) => contains(a, b) && contains(b, a))],
];
