import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds of one turn of the event loop, for all requests together, after which long work yields. */
const longestTurn = 8;

/** When this turn began, as far as it is known; undefined between two turns. A thread has one loop. */
let turnBegan: number | undefined;

/** Called where work begins: what is done before the first `yieldIfLong` counts too. */
export function beginTurn(): number {
  if (turnBegan === undefined) {
    turnBegan = performance.now();
    setImmediate(() => {
      turnBegan = undefined;
    });
  }
  return turnBegan;
}

/** Waits for the next turn of the event loop when this one has taken long: awaited between the phases of a request. */
export async function yieldIfLong(): Promise<void> {
  if (performance.now() - beginTurn() >= longestTurn) await nextTurn();
}
