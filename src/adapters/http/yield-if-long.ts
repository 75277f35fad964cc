import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers';

/** Milliseconds of work per iteration of the event loop, for all requests together. */
const maxHoldMs = 8;

/** When this iteration began; undefined between iterations. */
let iterationStart: number | undefined;

/** Requests that yielded. Each iteration resumes one, so that long phases of several requests do not add up. */
const waiting: (() => void)[] = [];

/** Called where work begins: work before the first `yieldIfLong` counts too. */
export function beginIteration(): number {
  if (iterationStart === undefined) {
    iterationStart = performance.now();
    setImmediate(endIteration);
  }
  return iterationStart;
}

function endIteration(): void {
  iterationStart = undefined;
  const resume = waiting.shift();
  if (!resume) return;
  beginIteration();
  resume();
}

/** Waits for a later iteration, in order. */
export async function nextIteration(): Promise<void> {
  beginIteration();
  await new Promise<void>((resolve) => waiting.push(resolve));
}

/** Awaited between the phases of a request. */
export const yieldIfLong = (): Promise<void> =>
  performance.now() - beginIteration() >= maxHoldMs ? nextIteration() : alreadyDone;

const alreadyDone = Promise.resolve();
