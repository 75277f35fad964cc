import { forEachInTurns, isInTurns, onceInTurns, timesInTurns } from './in-turns.ts';

/** So many characters or items take a millisecond or two. */
export const stretch = 16 * 1024;

/**
 * Goes through what has a length, a stretch at a time, until `round` returns false; others are let in between two. Where
 * nobody waits, or where it is short, it is one stretch.
 */
export function stretchesInTurns<S extends object>(
  length: number,
  start: () => S,
  round: (state: S, from: number, to: number) => unknown,
  size = stretch,
): S {
  if (length > size && isInTurns()) {
    return timesInTurns(Math.ceil(length / size), start, (state, at) =>
      round(state, at * size, Math.min(length, (at + 1) * size)),
    );
  }
  const state = start();
  round(state, 0, length);
  return state;
}

/** What each stretch of a text is changed to, which must not depend on its neighbours. */
export function changedInTurns(text: string, changed: (stretch: string) => string): string {
  if (text.length <= stretch || !isInTurns()) return changed(text);
  const start = (): string[] => [];
  const all = stretchesInTurns(text.length, start, (made, from, to) => made.push(changed(text.slice(from, to))));
  return onceInTurns(() => all.join(''));
}

/** Is it true of all items? */
export function allInTurns<T>(list: readonly T[], test: (item: T, at: number) => boolean): boolean {
  if (!isInTurns(list.length)) return list.every(test);
  const start = (): { isTrue: boolean } => ({ isTrue: true });
  return forEachInTurns(list, start, (all, item, at) => (all.isTrue = test(item, at))).isTrue;
}
