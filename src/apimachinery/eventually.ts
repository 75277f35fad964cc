/** A value that may be there at once: then nobody need wait for it. */
export type Eventually<T> = T | Promise<T>;

/** What becomes of a value, at once if it is there. */
export const whenKnown = <T, U>(value: Eventually<T>, act: (value: T) => Eventually<U>): Eventually<U> =>
  value instanceof Promise ? value.then(act) : act(value);
