/** One shared empty list, so that validating a valid object allocates nothing. */
export const emptyList: readonly never[] = [];

/** All items of the parts in their order; `nothing` when there are none. */
export function concat<T>(...parts: readonly (readonly T[])[]): readonly T[] {
  let all: T[] | undefined;
  for (const part of parts) {
    if (part.length === 0) continue;
    all ??= [];
    for (const item of part) all.push(item);
  }
  return all ?? emptyList;
}
