import { setTimeout as sleepFor } from 'node:timers/promises';
import type { Clock } from '../apimachinery/clock.ts';

const startedAt = performance.timeOrigin;

/** The time of a server. Who sleeps does not keep the process. */
export const clock: Clock = {
  now: () => startedAt + performance.now(),
  sleep: async (milliseconds, signal) => {
    await sleepFor(milliseconds, undefined, { ref: false, ...(signal ? { signal } : {}) }).catch(() => {});
  },
};
