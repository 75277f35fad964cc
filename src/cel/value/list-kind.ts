import type { Value } from './value.ts';

/** How a list that a schema declares to be a set or a map compares and adds. */
export interface ListKind {
  readonly equals: (other: readonly Value[]) => boolean;
  readonly add: (other: readonly Value[]) => readonly Value[];
}

/** On the list itself: V8 moves what a WeakMap holds among the old objects, alive or not. */
const kind = Symbol('list kind');

/** The list, marked to be of that kind. A copy of it is not. */
export const withListKind = (list: readonly Value[], value: ListKind): readonly Value[] =>
  Object.defineProperty(list, kind, { value });

export const listKindOf = (list: readonly Value[] & { readonly [kind]?: ListKind }): ListKind | undefined => list[kind];
