import { PerformanceObserver, constants } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { tooManyRequests } from '../../machinery/meta/status.ts';
import type { Status } from '../../machinery/meta/status.ts';
import type { WireResponse } from './wire-response.ts';

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

/** The answers that were written and that clients have not read. */
interface Unread {
  /** The same answer, counted until it is sent or its client is gone. */
  readonly hold: (answer: WireResponse, response: Closing) => WireResponse;
  /** The refusal of a request whose answer there is no room for; undefined when there is. */
  readonly refusal: (method: string) => Status | undefined;
}

interface Closing {
  readonly once: (event: 'close', listener: () => void) => unknown;
}

const usual = 512 * 1024 * 1024;

/**
 * Clients that ask for long lists and read none of them fill the memory outside of V8's heap. What takes things away may
 * always come in.
 */
export function createUnread(most: number = usual): Unread {
  let waiting = 0;
  return {
    hold: (answer, response) => {
      const bytes = bytesOf(answer);
      if (bytes < few) return answer;
      waiting += bytes;
      response.once('close', () => {
        waiting -= bytes;
      });
      return answer;
    },
    refusal: (method) => {
      if (waiting <= most || method === 'DELETE') return undefined;
      const megabytes = Math.ceil(waiting / 2 ** 20);
      return tooManyRequests(`${megabytes} MiB of answers wait for their clients to read them`, 1);
    },
  };
}

/** Answers of fewer bytes than this are not counted: there are thousands of them in a second. */
const few = 16 * 1024;

/** What a watch holds has a bound of its own. */
function bytesOf(answer: WireResponse): number {
  switch (answer.type) {
    case 'buffered':
      return answer.body.length;
    case 'parts':
      return answer.held;
    case 'watch':
      return 0;
  }
}
