import { setImmediate } from 'node:timers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Pause } from '../apimachinery/pause.ts';

const longestTurn = 10;

/** When the turn of the event loop began, as far as anybody asked; undefined between two. One thread has one loop. */
let turnBegan: number | undefined;

/** How long this turn has taken for everybody together: a thousand small requests keep others waiting like one large one. */
function turnTook(): number {
  if (turnBegan === undefined) {
    turnBegan = performance.now();
    setImmediate(() => {
      turnBegan = undefined;
    });
  }
  return performance.now() - turnBegan;
}

/** Lets others in when those who were served in this turn of the loop have had the processor for a while. */
export const pause: Pause = () => (turnTook() < longestTurn ? undefined : nextTurn());
