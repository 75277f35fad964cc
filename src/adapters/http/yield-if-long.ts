import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers';

/** Milliseconds of one turn of the event loop, for all requests together, after which long work yields. */
const longestTurn = 8;

/** When this turn began, as far as it is known; undefined between two turns. A thread has one loop. */
let turnBegan: number | undefined;

/** Requests that yielded. Each turn resumes one, so that the long phases of several requests never add up to one turn. */
const waiting: (() => void)[] = [];

/** Called where work begins: what is done before the first `yieldIfLong` counts too. */
export function beginTurn(): number {
  if (turnBegan === undefined) {
    turnBegan = performance.now();
    setImmediate(endTurn);
  }
  return turnBegan;
}

function endTurn(): void {
  turnBegan = undefined;
  const resume = waiting.shift();
  if (!resume) return;
  beginTurn();
  resume();
}

/** Waits for a turn of the event loop, behind those that wait already. */
export async function nextTurn(): Promise<void> {
  beginTurn();
  await new Promise<void>((resolve) => waiting.push(resolve));
}

/** Waits when this turn has taken long: awaited between the phases of a request. */
export async function yieldIfLong(): Promise<void> {
  if (performance.now() - beginTurn() >= longestTurn) await nextTurn();
}
