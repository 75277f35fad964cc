import { beginLoop, isDueAfterRound } from './turn-watch.ts';
import type { Watch } from './turn-watch.ts';

/** The turns of one piece of work, and what its loops have come to. */
export interface Run extends Watch {
  readonly root: Loop[];
  /** The loops of the round that we are in, in the order in which they are met. */
  loops: Loop[];
  next: number;
  apart?: Map<unknown, Apart>;
}

/** Made a dozen times for each request: one literal, and nothing that most do not need. */
export function beginRun(now: () => number): Run {
  const root: Loop[] = [];
  return { now, beganAt: 0, newAt: undefined, lookedAt: 0, stride: 1, untilLook: 1, root, loops: root, next: 0 };
}

interface Loop {
  readonly length: number;
  readonly state: object;
  /** The next round. */
  at: number;
  /** The loops inside that round, if it was left. */
  inner: Loop[];
}

/** Work that is done once for several others. */
export interface Apart {
  readonly loops: Loop[];
  isDone: boolean;
}

/** The run of work that is little, most likely: it is left where a long loop begins, and nothing is kept. */
export const untried = beginRun(() => 0);

/** What leaves the work that has its turn. */
export const interrupted = new Error('this work goes on later');

/** Goes on with the loop that is next: `round` is not called again for what is done. */
export function remember<S extends object>(
  run: Run,
  length: number,
  start: () => S,
  round: (state: S, at: number) => unknown,
): S {
  if (run === untried) throw interrupted;
  const { loops: outside, next: place } = run;
  const known = outside[place];
  const loop = known?.length === length ? known : { length, state: start(), at: 0, inner: [] };
  outside[place] = loop;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same work has come to the same place
  const state = loop.state as S;
  if (loop.at === length) {
    run.next = place + 1;
    return state;
  }
  // A round that was left is gone through again before it comes to something new.
  if (loop.inner.length === 0) run.newAt ??= run.now();
  beginLoop(run);
  try {
    for (let done = 0; loop.at < length; loop.at += 1) {
      if (done > 0 && isDueAfterRound(run)) throw interrupted;
      done += 1;
      run.loops = loop.inner;
      run.next = 0;
      const goesOn = round(state, loop.at);
      if (loop.inner.length > 0) loop.inner = [];
      if (goesOn === false) loop.at = length - 1;
    }
  } finally {
    run.loops = outside;
    run.next = place + 1;
  }
  return state;
}
