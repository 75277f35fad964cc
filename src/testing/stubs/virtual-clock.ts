import type { Clock } from '../../machinery/clock.ts';

/** Time passes when nothing else can happen: a wait of 30 s takes a millisecond. */
export interface VirtualClock extends Clock {
  /** Advances time as needed until this work ends. Time stops while nothing is driven. */
  readonly drive: <T>(work: Promise<T>) => Promise<T>;
  /** Stops time until this work ends: it waits for a file or socket. */
  readonly hold: <T>(work: Promise<T>) => Promise<T>;
  /** Sleepers wake one at a time. */
  readonly advance: (milliseconds: number) => Promise<void>;
}

/** `start`: milliseconds since 1970. `nextIteration` resolves after all ready promises have continued. */
export function createVirtualClock(start: number, nextIteration: () => Promise<void> = afterImmediate): VirtualClock {
  let now = start;
  let driven = 0;
  let isPassing = false;
  const sleepers = createSleepers();
  const held = createHeldWork(nextIteration);

  const wakeNext = (limit: number): boolean => {
    const next = sleepers.takeFirst(limit);
    if (!next) return false;
    now = Math.max(now, next.due);
    next.wake();
    return true;
  };
  const passTime = async (): Promise<void> => {
    isPassing = true;
    for (await held.quiet(); driven > 0; await held.quiet()) {
      // Work without a timer or hold waits for something real.
      if (!wakeNext(Infinity)) await waitMillisecond();
    }
    isPassing = false;
  };
  return {
    now: () => now,
    sleep: (milliseconds, signal) => sleepers.add(now + Math.max(0, milliseconds), signal),
    hold: held.hold,
    drive: async (work) => {
      driven += 1;
      if (!isPassing) void passTime();
      try {
        return await work;
      } finally {
        driven -= 1;
      }
    },
    advance: async (milliseconds) => {
      const end = now + milliseconds;
      await held.quiet();
      while (wakeNext(end)) await held.quiet();
      now = Math.max(now, end);
    },
  };
}

interface Sleeper {
  readonly due: number;
  readonly wake: () => void;
}

interface Sleepers {
  /** Resolves when taken or aborted. */
  readonly add: (due: number, signal: AbortSignal | undefined) => Promise<void>;
  /** The earliest due, in order of arrival; undefined when none is due by `limit`. */
  readonly takeFirst: (limit: number) => Sleeper | undefined;
}

function createSleepers(): Sleepers {
  // Sorted; few sleep at a time.
  const sleepers: Sleeper[] = [];
  return {
    add: (due, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const leave = (): void => {
          sleepers.splice(sleepers.indexOf(sleeper), 1);
          resolve();
        };
        const wake = (): void => {
          signal?.removeEventListener('abort', leave);
          resolve();
        };
        const sleeper = { due, wake };
        sleepers.splice(sleepers.findLastIndex((other) => other.due <= due) + 1, 0, sleeper);
        signal?.addEventListener('abort', leave, { once: true });
      }),
    takeFirst: (limit) => ((sleepers[0]?.due ?? Infinity) <= limit ? sleepers.shift() : undefined),
  };
}

interface HeldWork extends Pick<VirtualClock, 'hold'> {
  /** Resolves when no more work can happen at this instant. */
  readonly quiet: () => Promise<void>;
}

function createHeldWork(nextIteration: () => Promise<void>): HeldWork {
  const held = new Set<Promise<unknown>>();
  return {
    hold: async (work) => {
      held.add(work);
      try {
        return await work;
      } finally {
        held.delete(work);
      }
    },
    quiet: async () => {
      await nextIteration();
      while (held.size > 0) {
        await Promise.race(held).catch(() => {});
        await nextIteration();
      }
    },
  };
}

/** Node alone has it. */
const afterImmediate = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const waitMillisecond = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));
