/** A value that may be there at once: then nobody need wait for it. */
export type Eventually<T> = T | Promise<T>;

/** What becomes of a value, at once if it is there. */
export const whenKnown = <T, U>(value: Eventually<T>, act: (value: T) => Eventually<U>): Eventually<U> =>
  value instanceof Promise ? value.then(act) : act(value);

/** One after the other; nobody waits where nothing has to be waited for. */
export function oneByOne<T, U>(items: readonly T[], act: (item: T) => Eventually<U>): Eventually<readonly U[]> {
  const results: U[] = [];
  const from = (start: number): Eventually<readonly U[]> => {
    for (const item of start === 0 ? items : items.slice(start)) {
      const result = act(item);
      if (result instanceof Promise) return result.then(after);
      results.push(result);
    }
    return results;
  };
  const after = (result: U): Eventually<readonly U[]> => from(results.push(result));
  return from(0);
}
