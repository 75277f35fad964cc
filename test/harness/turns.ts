import type { Pause, Steps } from '../../src/apimachinery/pause.ts';

/** Whenever it is looked at, it is time to let others in. */
export function lateClock(): () => number {
  let now = 0;
  return () => (now += 100);
}

/** What steps come to, and how often others are let in: whenever they may be, unless the clock is another. */
export function inManyTurns<T>(steps: Steps<T>, now = lateClock()): { readonly turns: number; readonly value: T } {
  for (let turns = 0; ; turns += 1) {
    const { done, value } = steps.next(now);
    if (done) return { turns, value };
  }
}

/** Whoever looks at the clock has had it for too long. */
export function alwaysLate(): Pause & { readonly asked: () => number } {
  let asked = 0;
  const pause = (): undefined => void (asked += 1);
  return Object.assign(pause, { now: lateClock(), asked: () => asked });
}
