import type { Value } from './value.ts';

/** How a list that a schema declares to be a set or a map compares and adds. */
export interface ListKind {
  readonly equals: (other: readonly Value[]) => boolean;
  readonly add: (other: readonly Value[]) => readonly Value[];
}

const kinds = new WeakMap<readonly Value[], ListKind>();

/** The list, marked to be of that kind. */
export function withListKind(list: readonly Value[], kind: ListKind): readonly Value[] {
  kinds.set(list, kind);
  return list;
}

export const listKindOf = (list: readonly Value[]): ListKind | undefined => kinds.get(list);
