import type { Clock } from '../machinery/clock.ts';
import type { Result } from '../machinery/meta/result.ts';
import { createAbortSignals } from './abort-signals.ts';

/** A queue of keyed items: each once, retried after a failure. */
export interface WorkQueue<Item> {
  /** Adds an item. Never throws and never works synchronously: it is called inside writes of the store. */
  readonly add: (item: Item) => void;
  /** Adds it after `milliseconds`. */
  readonly addAfter: (item: Item, milliseconds: number) => void;
  /** Adds it after a short delay, during which the queue is not idle. */
  readonly addSoon: (item: Item, milliseconds: number) => void;
  readonly progress: QueueProgress;
}

export interface QueueProgress {
  /** Nothing is queued or running. Delayed items and retries do not count. */
  readonly isIdle: () => boolean;
  /** Resolves when the queue is idle, or closed. */
  readonly whenIdle: () => Promise<void>;
  /** Resolves when a closed queue has finished. */
  readonly whenEnded: () => Promise<void>;
}

/** The combined progress of queues that add work to each other. */
export const combineProgress = (parts: readonly QueueProgress[]): QueueProgress => {
  const isIdle = (): boolean => parts.every((part) => part.isIdle());
  return {
    isIdle,
    whenIdle: async () => {
      while (!isIdle()) await Promise.all(parts.map(({ whenIdle }) => whenIdle()));
    },
    whenEnded: async () => {
      await Promise.all(parts.map(({ whenEnded }) => whenEnded()));
    },
  };
};

export interface WorkPorts {
  readonly clock: Clock;
  /** Its abort closes the queue. */
  readonly signal: AbortSignal;
  readonly onBug: (error: unknown) => void;
}

/** The retry delay in milliseconds, doubled each time. */
export interface Backoff {
  readonly first: number;
  readonly max: number;
}

/** Follows client-go util/workqueue/default_rate_limiters.go. */
const defaultBackoff: Backoff = { first: 5, max: 1_000_000 };

const maximumWorkers = 4;
const immediateRetries = 5;

/** Items with the same key are one. A failed item is retried with growing delays. */
export function createWorkQueue<Item>(
  itemKey: (item: Item) => string,
  work: (item: Item) => Promise<Result<unknown>>,
  { clock, signal, onBug }: WorkPorts,
  { first, max }: Backoff = defaultBackoff,
): WorkQueue<Item> {
  const waiting = new Map<string, Item>();
  const working = new Set<string>();
  const failures = new Map<string, number>();
  const progress = createProgress(() => signal.aborted || waiting.size + working.size === 0);
  let workers = 0;

  const add = (item: Item): void => {
    if (signal.aborted) return;
    waiting.set(itemKey(item), item);
    if (workers < maximumWorkers) progress.track(runWorker());
  };
  const runWorker = async (): Promise<void> => {
    workers += 1;
    await Promise.resolve();
    for (let next = nextItem(waiting, working); next && !signal.aborted; next = nextItem(waiting, working)) {
      const [key, item] = next;
      waiting.delete(key);
      working.add(key);
      const succeeded = await processItem(work, item, onBug);
      working.delete(key);
      const failed = failures.get(key) ?? 0;
      failures.delete(key);
      if (succeeded) continue;
      failures.set(key, failed + 1);
      delay(item, Math.min(first * 2 ** failed, max), false);
    }
    workers -= 1;
  };
  const delay = createDelays(itemKey, add, { clock, signal, progress });
  return {
    add,
    addAfter: (item, milliseconds) => delay(item, milliseconds, false),
    addSoon: (item, milliseconds) => delay(item, milliseconds, true),
    progress,
  };
}

/** `counts`: the queue is not idle meanwhile. */
type Delay<Item> = (item: Item, milliseconds: number, counts: boolean) => void;

/** Of several due times of an item the earliest counts. Follows client-go util/workqueue/delaying_queue.go. */
function createDelays<Item>(
  keyOf: (item: Item) => string,
  add: (item: Item) => void,
  { clock, signal, progress }: Pick<WorkPorts, 'clock' | 'signal'> & { readonly progress: TrackedProgress },
): Delay<Item> {
  const retryTimes = new Map<string, number>();
  return (item, milliseconds, counts) => {
    const key = keyOf(item);
    const due = clock.now() + milliseconds;
    if ((retryTimes.get(key) ?? Infinity) <= due) return;
    retryTimes.set(key, due);
    const addWhenDue = async (): Promise<void> => {
      await createAbortSignals(signal).withSignal((own) => clock.sleep(milliseconds, own()));
      if (retryTimes.get(key) === due && retryTimes.delete(key)) add(item);
    };
    progress.track(addWhenDue(), counts);
  };
}

/** After a conflict the store has the newer object: no delay. */
async function processItem<Item>(
  work: (item: Item) => Promise<Result<unknown>>,
  item: Item,
  onBug: (error: unknown) => void,
): Promise<boolean> {
  try {
    for (let again = immediateRetries; ; again -= 1) {
      const result = await work(item);
      if (result.ok || result.status.reason !== 'Conflict' || again === 0) return result.ok;
    }
  } catch (error) {
    onBug(error);
    return false;
  }
}

/** The first item that is not being worked on: one key is never processed twice at once. */
function nextItem<Item>(
  waiting: ReadonlyMap<string, Item>,
  working: ReadonlySet<string>,
): readonly [string, Item] | undefined {
  for (const entry of waiting) if (!working.has(entry[0])) return entry;
  return undefined;
}

interface TrackedProgress extends QueueProgress {
  /** `counts`: the queue is not idle before this ends. */
  readonly track: (promise: Promise<unknown>, counts?: boolean) => void;
}

function createProgress(hasNothingToDo: () => boolean): TrackedProgress {
  const counted = new Set<Promise<unknown>>();
  const others = new Set<Promise<unknown>>();
  const waiting: (() => void)[] = [];
  const isIdle = (): boolean => counted.size === 0 && hasNothingToDo();
  return {
    isIdle,
    track: (promise, counts = true) => {
      const set = counts ? counted : others;
      set.add(promise);
      void promise.finally(() => {
        set.delete(promise);
        if (isIdle()) for (const resolve of waiting.splice(0)) resolve();
      });
    },
    // Thousands may be running: waiters are notified once, at the end.
    whenIdle: async () => {
      while (!isIdle()) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    whenEnded: async () => {
      while (counted.size + others.size > 0) await Promise.all([...counted, ...others]);
    },
  };
}
