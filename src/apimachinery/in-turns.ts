/**
 * Calls `round` for every item, until one returns false, and returns the state in which rounds keep what they come to.
 */
export function forEachInTurns<T, S extends object>(
  list: readonly T[],
  start: () => S,
  round: (state: S, item: T, at: number) => unknown,
): S {
  const state = start();
  let at = 0;
  for (const item of list) {
    if (round(state, item, at) === false) break;
    at += 1;
  }
  return state;
}

/** The same for so many rounds. */
export function timesInTurns<S extends object>(
  rounds: number,
  start: () => S,
  round: (state: S, at: number) => unknown,
): S {
  const state = start();
  for (let at = 0; at < rounds; at += 1) if (round(state, at) === false) break;
  return state;
}
