import type { Clock } from '../../machinery/clock.ts';
import { realSleep } from '../../testing/stubs/real-sleep.ts';
import { createVirtualClock, type VirtualClock } from '../../testing/stubs/virtual-clock.ts';

export interface Time extends Pick<VirtualClock, 'drive' | 'hold' | 'advance'> {
  readonly clock: Clock;
}

/** The start of virtual worlds. */
export const virtualStart = Date.UTC(2026, 0, 1);

/** `start` in milliseconds since 1970. */
export function virtualTime(start: number, nextIteration: () => Promise<void>): Time {
  const { drive, hold, advance, ...clock } = createVirtualClock(start, nextIteration);
  return { clock, drive, hold, advance };
}

const startedAt = performance.timeOrigin;

const realClock: Clock = {
  now: () => startedAt + performance.now(),
  sleep: realSleep,
};

export const realTime: Time = {
  clock: realClock,
  drive: (work) => work,
  hold: (work) => work,
  advance: (milliseconds) => realClock.sleep(milliseconds),
};
