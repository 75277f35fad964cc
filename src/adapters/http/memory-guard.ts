import { PerformanceObserver, constants } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { tooManyRequests } from '../../machinery/meta/status.ts';
import type { Status } from '../../machinery/meta/status.ts';
import { createUnread } from './unread.ts';
import type { Unread } from './unread.ts';

/** What V8 says of its heap, in bytes. */
export interface Heap {
  readonly used: number;
  readonly limit: number;
}

export interface MemoryGuard {
  /** The refusal of a request there is no memory for; undefined when there is. */
  readonly refusal: (method: string) => Status | undefined;
  /** Why work that goes on and on, such as the deletion of a collection, has to stop where it is; undefined as long as there is room. */
  readonly exhaustion: () => Status | undefined;
  /** To be told after the heap was cleaned up: only what is left then counts. */
  readonly cleanedUp: () => void;
}

/** What is kept free, so that the requests that run can end. */
const reserve = ({ limit }: Heap): number => Math.max(limit * 0.15, 96 * 2 ** 20);

/** One request gets through in so many milliseconds: without work nothing would be cleaned up again. */
const everyMs = 1000;

/**
 * Sheds load before V8 gives up, which no client could read. What takes things away may always come in.
 */
export function createMemoryGuard(heap: () => Heap, now: () => number): MemoryGuard {
  let isFull = false;
  let admittedAt = 0;
  const hasRoom = ({ used, limit }: Heap): boolean => used < limit - reserve({ used, limit }) / 2;
  return {
    cleanedUp: () => {
      const left = heap();
      isFull = left.used > left.limit - reserve(left);
    },
    refusal: (method) => {
      if (!isFull || method === 'DELETE') return undefined;
      const left = heap();
      if (now() - admittedAt < everyMs || !hasRoom(left)) return usedUp(left);
      admittedAt = now();
      return undefined;
    },
    exhaustion: () => {
      const left = isFull ? heap() : undefined;
      return left === undefined || hasRoom(left) ? undefined : usedUp(left);
    },
  };
}

function usedUp({ limit }: Heap): Status {
  const gigabytes = (limit / 2 ** 30).toFixed(1);
  const more = 'start it with NODE_OPTIONS=--max-old-space-size=8192 for 8 GiB, or delete objects';
  return tooManyRequests(`kadmit has used up its memory of ${gigabytes} GiB: ${more}`, 1);
}

/** The guard of this process, and what ends it. */
export function watchMemory(): MemoryGuard & Pick<Unread, 'hold'> & { readonly close: () => void } {
  const unread = createUnread();
  const heap = (): Heap => {
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
    return { used, limit };
  };
  const guard = createMemoryGuard(heap, () => performance.now());
  const observer = new PerformanceObserver((list) => {
    if (list.getEntries().some(isMajor)) guard.cleanedUp();
  });
  observer.observe({ entryTypes: ['gc'] });
  return {
    ...guard,
    hold: unread.hold,
    refusal: (method) => guard.refusal(method) ?? unread.refusal(method),
    close: () => observer.disconnect(),
  };
}

const isMajor = (entry: object): boolean =>
  'detail' in entry &&
  typeof entry.detail === 'object' &&
  entry.detail !== null &&
  'kind' in entry.detail &&
  entry.detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
