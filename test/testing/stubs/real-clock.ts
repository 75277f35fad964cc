import { setTimeout as sleepFor } from 'node:timers/promises';
import type { Clock } from '../../../src/machinery/clock.ts';

export const realClock: Clock = {
  now: () => Date.now(),
  sleep: async (milliseconds, signal) => {
    await sleepFor(milliseconds, undefined, signal ? { signal } : {}).catch(() => {});
  },
};
