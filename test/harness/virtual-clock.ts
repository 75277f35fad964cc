import type { Clock } from '../../src/machinery/clock.ts';

/** A clock that only `advance` moves; sleeps end when it passes their time. */
export interface VirtualClock extends Clock {
  readonly advance: (milliseconds: number) => Promise<void>;
}

/** Starts at 2026-01-01T00:00:00Z. */
export const epoch = Date.UTC(2026, 0, 1);

interface PendingSleep {
  readonly due: number;
  readonly wake: () => void;
}

export function createVirtualClock(start = epoch): VirtualClock {
  let now = start;
  let sleepers: readonly PendingSleep[] = [];
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    now: () => now,
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const wake = (): void => {
          sleepers = sleepers.filter((one) => one !== sleeper);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        const sleeper = { due: now + milliseconds, wake };
        sleepers = [...sleepers, sleeper];
        signal?.addEventListener('abort', wake);
      }),
    advance: async (milliseconds) => {
      const end = now + milliseconds;
      await settle();
      for (;;) {
        const next = sleepers.toSorted((a, b) => a.due - b.due)[0];
        if (!next || next.due > end) break;
        now = Math.max(now, next.due);
        next.wake();
        await settle();
      }
      now = end;
    },
  };
}

/** A clock on which every sleep ends immediately. */
export function createImmediateClock(start = epoch): VirtualClock {
  let now = start;
  return {
    now: () => now,
    sleep: async (milliseconds) => {
      now += milliseconds;
    },
    advance: async (milliseconds) => {
      now += milliseconds;
    },
  };
}
