import type { Clock } from '../../machinery/clock.ts';

/** A clock whose time passes when nothing else can happen: a wait of half a minute is over in a millisecond. */
export interface VirtualClock extends Clock {
  /** Waits for this work, and lets time pass meanwhile as it has to. As long as nothing is driven, time stands still. */
  readonly drive: <T>(work: Promise<T>) => Promise<T>;
  /** Time stands still until this work is done: it waits for something real, a file or a socket. */
  readonly hold: <T>(work: Promise<T>) => Promise<T>;
  /** Lets so many milliseconds pass. Who wakes meanwhile acts before the next one does. */
  readonly advance: (milliseconds: number) => Promise<void>;
}

/** `start` in milliseconds since 1970. */
export function createVirtualClock(start: number): VirtualClock {
  let now = start;
  let driven = 0;
  let isPassing = false;
  const sleepers = createSleepers();
  const held = createHeld();

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
      // What is under way without a timer waits for something real that nobody holds.
      if (!wakeNext(Infinity)) await realMoment();
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
  /** Resolves when it is taken, or its signal aborts. */
  readonly add: (due: number, signal: AbortSignal | undefined) => Promise<void>;
  /** The one due first, of several those who came first; undefined when nobody is due by `limit`. */
  readonly takeFirst: (limit: number) => Sleeper | undefined;
}

function createSleepers(): Sleepers {
  // In order; few sleep at a time.
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

interface Held extends Pick<VirtualClock, 'hold'> {
  /** Resolves when everything that can happen at this instant has happened. */
  readonly quiet: () => Promise<void>;
}

function createHeld(): Held {
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
      await turn();
      while (held.size > 0) {
        await Promise.race(held).catch(() => {});
        await turn();
      }
    },
  };
}

/** By then every promise that could go on has gone on. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const realMoment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));
