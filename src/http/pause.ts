import { setImmediate } from 'node:timers';
import type { Pause } from '../apimachinery/pause.ts';

/** Milliseconds after which others are let in. */
const longestTurn = 8;

/** When the turn of the event loop began, as far as anybody said; undefined between two. One thread has one loop. */
let turnBegan: number | undefined;

/** From here on somebody works in this turn: what is done before the first question counts too. */
export function beginTurn(): void {
  if (turnBegan === undefined) beginAnew();
}

function beginAnew(): void {
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

/** Those who wait for a turn of their own. Who has not had one yet need not wait for all who have. */
const newcomers: (() => void)[] = [];
const others: (() => void)[] = [];
let isNewcomersTurn = true;
let isAwaited = false;

/**
 * Resolves in a later turn of the loop. One goes on in each, however many wait: if all did, each with a step of its work,
 * those who only now ask for something would have to wait for all of them.
 */
function nextTurn(queue: (() => void)[]): Promise<void> {
  return new Promise((resolve) => {
    queue.push(resolve);
    if (!isAwaited) setImmediate(giveTurn);
    isAwaited = true;
  });
}

function giveTurn(): void {
  beginAnew();
  const [first, second] = isNewcomersTurn ? [newcomers, others] : [others, newcomers];
  isNewcomersTurn = !isNewcomersTurn;
  const goOn = first.shift() ?? second.shift();
  isAwaited = newcomers.length + others.length > 0;
  if (isAwaited) setImmediate(giveTurn);
  goOn?.();
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

/** What is begun when there is time for it. */
const waiting: (() => void)[] = [];

/**
 * Begins at once while this turn of the loop is young, else in one of the next, in the order in which they came: what
 * arrives in one piece, such as a thousand requests, would otherwise be begun in one turn.
 */
export function inTime(begin: () => void): void {
  if (waiting.length === 0 && turnTook() < longestTurn) return begin();
  waiting.push(begin);
  if (waiting.length === 1) setImmediate(beginSome);
}

function beginSome(): void {
  beginAnew();
  let begun = 0;
  try {
    while (begun < waiting.length && (begun === 0 || turnTook() < longestTurn)) {
      begun += 1;
      waiting[begun - 1]?.();
    }
  } finally {
    waiting.splice(0, begun);
    if (waiting.length > 0) setImmediate(beginSome);
  }
}
