import { setImmediate } from 'node:timers';
import type { Pause } from '../apimachinery/pause.ts';

/** Milliseconds after which others are let in. */
const longestTurn = 8;

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

/** Those who wait for the first time since they began: they end before another begins. */
const newcomers: GoOn[] = [];
/** Those that have not begun, in the order in which they came. */
const arrived: GoOn[] = [];
/** Those that have had a turn of their own already. */
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
  const isFirst = turnBegan === undefined;
  if (isFirst) isOthersTurn = !isOthersTurn;
  const goOn = isFirst || turnTook() < longestTurn ? nextOne() : undefined;
  beginTurn();
  calls -= 1;
  callThem();
  goOn?.();
}

/** Every other turn is first for those that take long. */
function nextOne(): GoOn | undefined {
  const first = isOthersTurn ? others.shift() : undefined;
  return first ?? newcomers.shift() ?? arrived.shift() ?? others.shift();
}

function nextTurn(queue: GoOn[]): Promise<void> {
  return new Promise((resolve) => {
    queue.push(resolve);
    callThem();
  });
}

/** A turn for work that says itself when it is time. */
export const breathe = (): Promise<void> => nextTurn(others);

/** Lets others in when those who were served in this turn of the loop have had the processor for a while: for one request. */
export function createPause(): Pause {
  let queue = newcomers;
  const pause = (): Promise<void> | undefined => {
    if (turnTook() < longestTurn) return undefined;
    const turn = nextTurn(queue);
    queue = others;
    return turn;
  };
  return Object.assign(pause, { now: () => performance.now() });
}

/** The same for work that is nobody's in particular. */
export const pause: Pause = Object.assign(() => (turnTook() < longestTurn ? undefined : nextTurn(others)), {
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
