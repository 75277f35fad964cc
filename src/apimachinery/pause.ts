import type { Eventually } from './eventually.ts';

/** Lets others in when this work has kept them waiting for a while: something to wait for, or nothing. */
export interface Pause {
  (): Promise<void> | undefined;
  /** Milliseconds since some time, for work that looks at the clock itself. */
  readonly now?: () => number;
  /** What `now` was when the pause was last asked for, or over. */
  readonly askedAt?: () => number;
  /** It is asked for by what turns out to be long, not before all that is done: those who wait are those of who sent little. */
  readonly isOfLittle?: boolean;
}

/** Tells milliseconds since some time; undefined where nobody waits. */
export type Watched = (() => number) | undefined;

/** Work that is done in steps, so that others can be let in between two, and what comes of it. Each may be told the time. */
export type Steps<T> = Generator<void, T, Watched>;

/** Goes through all steps where nobody waits. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Goes through all steps, with a pause where one is due between them; resolves to what they come to. */
export async function inSteps<T>(steps: Steps<T>, pause: Pause | undefined): Promise<T> {
  for (;;) {
    const { done, value } = steps.next(pause?.now);
    if (done) return value;
    const pausing = pause?.();
    if (pausing) await pausing;
  }
}

/** The same for steps that seldom need a pause: what they come to is there at once when they need none. */
export function whenDone<T>(steps: Steps<T>, pause: Pause): Eventually<T> {
  for (;;) {
    const { done, value } = steps.next(pause.now);
    if (done) return value;
    const pausing = pause();
    if (pausing) return pausing.then(() => whenDone(steps, pause));
  }
}

/** Where nobody waits. */
export const noPause: Pause = () => undefined;
