import { append } from './append.ts';
import type { Eventually } from './eventually.ts';
import { atOnce } from './pause.ts';
import type { Pause, Steps, Watched } from './pause.ts';
import { beginRun, interrupted, remember, untried } from './remembered-loops.ts';
import type { Apart, Run } from './remembered-loops.ts';
import { beginAgain, isDue, isDueAfterRound } from './turn-watch.ts';

/**
 * Work that gives way without being written as steps. When a long loop in it has had the processor for a while, an
 * exception leaves it, others are let in, and it is begun again: it then finds what its long loops had come to. So it must
 * depend on nothing but its input. What has no long loop pays nothing, and has its result at once.
 */
export function inTurns<T>(work: () => T, pause: Pause | undefined): Eventually<T> {
  if (pause?.now === undefined) return work();
  const tried = pause.isOfLittle === true ? turnOf(untried, work) : left;
  if (tried !== left) return tried;
  const run = beginRun(pause.now);
  const pausing = pause();
  return pausing ? pausing.then(() => goOn(run, work, pause)) : goOn(run, work, pause);
}

/** The same as steps: one ends where others are to be let in. */
export function* workInSteps<T>(work: () => T, now: Watched): Steps<T> {
  if (now === undefined) return work();
  const run = beginRun(now);
  for (;;) {
    const value = attemptOf(run, work, now());
    if (value !== left) return value;
    yield;
  }
}

/** The same in steps of whoever is told the time with each. */
export function* workInTime<T>(work: () => T): Steps<T> {
  const now = yield;
  return yield* workInSteps(work, now);
}

/** The work that has its turn. */
let running: Run | undefined;

function goOn<T>(run: Run, work: () => T, pause: Pause): Eventually<T> {
  for (;;) {
    const value = attemptOf(run, work, pause.askedAt?.() ?? run.now());
    if (value !== left) return value;
    const pausing = pause();
    if (pausing) return pausing.then(() => goOn(run, work, pause));
  }
}

/** In place of what the work comes to. */
const left = Symbol('left');

function attemptOf<T>(run: Run, work: () => T, now: number): T | typeof left {
  run.loops = run.root;
  run.next = 0;
  beginAgain(run, now);
  return turnOf(run, work);
}

function turnOf<T>(run: Run, work: () => T): T | typeof left {
  const outer = running;
  running = run;
  try {
    return work();
  } catch (thrown) {
    if (thrown !== interrupted) throw thrown;
    return left;
  } finally {
    running = outer;
  }
}

/** Loops of fewer rounds are a part of what is around them. */
const fewRounds = 32;

/** Is a loop of so many rounds one that may be left? Of any number: is there work that may be left? */
export const isInTurns = (rounds = fewRounds): boolean => running !== undefined && rounds >= fewRounds;

/**
 * Calls `round` for every item, until one returns false, and returns the state in which rounds keep what they come to. When
 * the work is begun again, that is the same one, and `round` is not called again for what is done. What is outside of the
 * state a round may not change, unless it is one of `keptInTurns`.
 */
export function forEachInTurns<T, S extends object>(
  list: readonly T[],
  start: () => S,
  round: (state: S, item: T, at: number) => unknown,
): S {
  if (running !== undefined && list.length >= fewRounds) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- there are so many
    return remember(running, list.length, start, (state, at) => round(state, list[at] as T, at));
  }
  const state = start();
  let at = 0;
  for (const item of list) {
    if (round(state, item, at) === false) break;
    at += 1;
  }
  return state;
}

/** The same for so many rounds, be they few. */
export function timesInTurns<S extends object>(
  rounds: number,
  start: () => S,
  round: (state: S, at: number) => unknown,
): S {
  if (running !== undefined) return remember(running, rounds, start, round);
  const state = start();
  for (let at = 0; at < rounds; at += 1) if (round(state, at) === false) break;
  return state;
}

/** The items of a list, each as `made` makes it. */
export function mapInTurns<T, U>(list: readonly T[], made: (item: T, at: number) => U): U[] {
  if (!isInTurns(list.length)) return list.map(made);
  const start = (): U[] => [];
  return forEachInTurns(list, start, (items, item, at) => items.push(made(item, at)));
}

/** What every item of a list comes to, in one list. */
export function flatMapInTurns<T, U>(list: readonly T[], made: (item: T, at: number) => readonly U[]): readonly U[] {
  if (!isInTurns(list.length)) return list.flatMap(made);
  const start = (): U[] => [];
  return forEachInTurns(list, start, (all, item, at) => append(all, made(item, at)));
}

/**
 * What the rounds of loops gather beside their states: the same one whenever the work is begun again. It must bear that a
 * round is done twice, as those of short loops are. `start` has no long loop.
 */
export function keptInTurns<S extends object>(start: () => S): S {
  return running === undefined || running === untried ? start() : remember(running, 0, start, start);
}

/** What a long step comes to: it is done once, and others are let in after it when it is time. */
export function onceInTurns<T>(step: () => T): T {
  const run = running;
  if (run === undefined) return step();
  if (run === untried) throw interrupted;
  const isDone = run.loops[run.next]?.at === 1;
  const start = (): T[] => [];
  const done = remember(run, 1, start, (values) => values.push(step()));
  if (!isDone && isDue(run)) throw interrupted;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is done
  return done[0] as T;
}

/** Of work that has its turn: is it time to let others in, and the way to do so. What it has come to since has to be kept. */
export interface Turn {
  readonly isDue: () => boolean;
  readonly leave: () => never;
}

/** Undefined where nobody waits. */
export function turnOfWork(): Turn | undefined {
  const run = running;
  if (run === untried) throw interrupted;
  return (
    run && {
      isDue: () => isDueAfterRound(run),
      leave: () => {
        throw interrupted;
      },
    }
  );
}

/**
 * Work that is done once for several others, inside whichever of them comes first, and that is not done again when they are
 * begun again: its loops are its own, by a key.
 */
export function apartInTurns<T>(key: unknown, work: () => T): T {
  const run = running;
  if (run === undefined || run === untried) return work();
  const { loops, next } = run;
  const own = run.apart?.get(key) ?? { loops: [], isDone: false };
  run.apart = (run.apart ?? new Map<unknown, Apart>()).set(key, own);
  // What was left is gone through again before it comes to something new.
  if (!own.isDone && own.loops.length > 0) run.newAt = undefined;
  run.loops = own.loops;
  run.next = 0;
  try {
    const value = work();
    own.isDone = true;
    return value;
  } finally {
    run.loops = loops;
    run.next = next;
  }
}

/** What steps come to; none of them is done twice. */
export function stepsInTurns<T>(steps: () => Steps<T>): T {
  if (running === undefined) return atOnce(steps());
  if (running === untried) return firstStepOf(steps());
  const start = (): { readonly steps: Steps<T>; readonly result: T[] } => ({ steps: steps(), result: [] });
  const { result } = remember(running, Infinity, start, (state) => {
    const { done, value } = state.steps.next();
    if (done) state.result.push(value);
    return done !== true;
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- they are done
  return result[0] as T;
}

function firstStepOf<T>(steps: Steps<T>): T {
  const { done, value } = steps.next();
  if (done) return value;
  throw interrupted;
}
