import { setImmediate } from 'node:timers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Pause } from '../apimachinery/pause.ts';

const longestTurn = 10;

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

/** Lets others in when those who were served in this turn of the loop have had the processor for a while. */
export const pause: Pause = Object.assign(() => (turnTook() < longestTurn ? undefined : nextTurn().then(beginTurn)), {
  now: () => performance.now(),
});
