import type { Clock } from '../../src/machinery/clock.ts';

/** Time that advances only by `pass`. */
export interface ManualClock extends Clock {
  readonly pass: (milliseconds: number) => void;
}

export function createManualClock(): ManualClock {
  let now = 1_800_000_000_000;
  const sleepers = new Set<{ readonly until: number; readonly wake: () => void }>();
  return {
    now: () => now,
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        const sleeper = { until: now + milliseconds, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => resolve());
      }),
    pass: (milliseconds) => {
      now += milliseconds;
      for (const sleeper of sleepers) {
        if (sleeper.until > now) continue;
        sleepers.delete(sleeper);
        sleeper.wake();
      }
    },
  };
}
