import { setImmediate } from 'node:timers/promises';

const longestTurn = 10;

/** Lets others in when a request has had the processor to itself for a while since it began, or since it last let them. */
export function createPause(): () => Promise<void> | undefined {
  let since = performance.now();
  return () =>
    performance.now() - since < longestTurn
      ? undefined
      : setImmediate().then(() => {
          since = performance.now();
        });
}
