import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../../../machinery/clock.ts';

/** A Node timer reaches 24 days: longer waits are several timers. */
const maxSleepMs = 24 * 3_600_000;

export const wallClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  sleep: async (milliseconds, signal) => {
    for (let left = milliseconds; left > 0 && !signal?.aborted; left -= maxSleepMs)
      await sleep(Math.min(left, maxSleepMs), undefined, signal ? { signal } : {}).catch(() => {});
  },
};

/** Times the recorded speed; Infinity plays without waiting. */
export type Speed = number;

export const minSpeed = 0.001;
export const fastest = 1_000_000;

/** `at`: milliseconds of the recording; `passed`: milliseconds since playing began. */
export const waitFor = (at: number, passed: number, speed: Speed): number => Math.max(at / speed - passed, 0);
