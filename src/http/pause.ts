// The global one is looked up anew each time.
import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers';
import type { Pause } from '../apimachinery/pause.ts';

/** Milliseconds after which others are let in. */
const longestTurn = 8;
/** So long requests are still begun in a turn, each to do so much of its work: then who asks for little has its answer. */
const longestBeginning = 16;
const little = 0.5;

/** When the turn of the event loop began, as far as anybody said; undefined between two. One thread has one loop. */
let turnBegan: number | undefined;

/** From here on somebody works in this turn: what is done before the first question counts too. */
export function beginTurn(): void {
  if (turnBegan !== undefined) return;
  turnBegan = performance.now();
  setImmediate(() => {
    turnBegan = undefined;
  });
}

/** How long this turn has taken for everybody together: a thousand small requests keep others waiting like one large one. */
function turnTook(): number {
  beginTurn();
  return performance.now() - (turnBegan ?? 0);
}

type GoOn = () => void;

/** Those that have begun and not yet had as much of the processor as a turn is long. They end before another does more than begin. */
const newcomers: GoOn[] = [];
/** Those that have not begun, in the order in which they came. */
const arrived: GoOn[] = [];
/** Those that take longer. */
const others: GoOn[] = [];
let isOthersTurn = false;

/** How many are called in a turn of the loop at the most, so that many who wait cost nothing when there is no time for them. */
const mostCalls = 64;
let calls = 0;

/**
 * Calls those who wait, each by itself: what one does in microtasks is over before the next is asked whether there is time.
 * So in a turn of the loop as many go on as there is time for, at least one: if all did, each with a step of its work, those who
 * only now ask for something would have to wait for all of them, and if one did, it for all who only now ask.
 */
function callThem(): void {
  const most = Math.min(mostCalls, newcomers.length + arrived.length + others.length);
  for (; calls < most; calls += 1) setImmediate(giveTurn);
}

function giveTurn(): void {
  if (turnBegan === undefined) isOthersTurn = !isOthersTurn;
  const goOn = nextOne(turnTook());
  calls -= 1;
  callThem();
  goOn?.();
}

/** Every other turn is first for those that take long. */
function nextOne(took: number): GoOn | undefined {
  if (took >= longestTurn) return took < longestBeginning ? arrived.shift() : undefined;
  const first = isOthersTurn ? others.shift() : undefined;
  return first ?? newcomers.shift() ?? arrived.shift() ?? others.shift();
}

/** A turn for work that says itself when it is time. */
export const breathe = (): Promise<void> =>
  new Promise((resolve) => {
    others.push(resolve);
    callThem();
  });

/** Lets others in when those who were served in this turn of the loop have had the processor for a while: for one request. */
export function createPause(isOfLittle = false): Pause {
  let isBegun = false;
  /** The work between two questions. What went on between one and the next turn is somebody's who was waited for. */
  let used = 0;
  let askedIn = turnBegan;
  let askedAt = performance.now();
  const count = (took: number): void => {
    const now = (turnBegan ?? 0) + took;
    if (askedIn === turnBegan) used += now - askedAt;
    askedIn = turnBegan;
    askedAt = now;
  };
  const wait = (resolve: GoOn): void => {
    const goOn = (): void => {
      askedIn = turnBegan;
      askedAt = performance.now();
      resolve();
    };
    if (used >= longestTurn) others.push(goOn);
    else if (isBegun) newcomers.unshift(goOn);
    else newcomers.push(goOn);
    isBegun = true;
    callThem();
  };
  const pause = (): Promise<void> | undefined => {
    const took = turnTook();
    count(took);
    if (took < longestTurn || (took < longestBeginning && !isBegun && used < little)) return undefined;
    return new Promise(wait);
  };
  return Object.assign(pause, { now: () => performance.now(), askedAt: () => askedAt, isOfLittle });
}

/** The same for work that is nobody's in particular. */
export const pause: Pause = Object.assign(() => (turnTook() < longestTurn ? undefined : breathe()), {
  now: () => performance.now(),
});

/**
 * Begins at once while this turn of the loop is young and nobody waits that came before, else in one of the next, in the order in
 * which they came: what arrives in one piece, such as a thousand requests, would otherwise be begun in one turn.
 */
export function inTime(begin: () => void): void {
  if (newcomers.length + arrived.length === 0 && turnTook() < longestTurn) return begin();
  arrived.push(begin);
  callThem();
}
