import type { Steps } from '../../src/apimachinery/pause.ts';

/** Whenever it is looked at, it is time to let others in. */
export function lateClock(): () => number {
  let now = 0;
  return () => (now += 100);
}

/** What steps come to where it is always time for others, and how often those are let in. */
export function inManyTurns<T>(steps: Steps<T>): { readonly turns: number; readonly value: T } {
  const now = lateClock();
  for (let turns = 0; ; turns += 1) {
    const { done, value } = steps.next(now);
    if (done) return { turns, value };
  }
}
