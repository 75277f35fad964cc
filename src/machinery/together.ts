/** What is right has no complaints: one list for all of it, so that nothing is made where nothing is wrong. */
export const nothing: readonly never[] = [];

/** All items of the parts in their order; `nothing` when there are none. */
export function together<T>(...parts: readonly (readonly T[])[]): readonly T[] {
  let all: T[] | undefined;
  for (const part of parts) {
    if (part.length === 0) continue;
    all ??= [];
    for (const item of part) all.push(item);
  }
  return all ?? nothing;
}
