import { PerformanceObserver, constants } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { type Status, tooManyRequests } from '../../machinery/meta/status.ts';
import type { WireResponse } from './encode.ts';

/** Bytes. */
interface Heap {
  readonly used: number;
  readonly limit: number;
}

interface MemoryGuard {
  /** A 429 when memory is short; undefined when the request may run. */
  readonly refusal: (method: string) => Status | undefined;
  /** A 429 when a long request, such as deletecollection, must stop; undefined when it may continue. */
  readonly exhaustion: () => Status | undefined;
  /** Called after a major garbage collection: only then is the heap's size what is in use. */
  readonly onCollected: () => void;
}

/** Bytes kept free for the running requests. */
const reserve = ({ limit }: Heap): number => Math.max(limit * 0.15, 96 * 2 ** 20);

/** Milliseconds between requests that a full server still accepts: without work V8 would never collect garbage. */
const acceptInterval = 1000;

/** Sheds load before V8 aborts the process. DELETE always runs. */
export function createMemoryGuard(heap: () => Heap, now: () => number): MemoryGuard {
  let isFull = false;
  let acceptedAt = 0;
  const hasMemory = ({ used, limit }: Heap): boolean => used < limit - reserve({ used, limit }) / 2;
  return {
    onCollected: () => {
      const current = heap();
      isFull = current.used > current.limit - reserve(current);
    },
    refusal: (method) => {
      if (!isFull || method === 'DELETE') return undefined;
      const current = heap();
      if (now() - acceptedAt < acceptInterval || !hasMemory(current)) return usedUp(current);
      acceptedAt = now();
      return undefined;
    },
    exhaustion: () => {
      const current = isFull ? heap() : undefined;
      return current === undefined || hasMemory(current) ? undefined : usedUp(current);
    },
  };
}

function usedUp({ limit }: Heap): Status {
  const gigabytes = (limit / 2 ** 30).toFixed(1);
  const more = 'start it with NODE_OPTIONS=--max-old-space-size=8192 for 8 GiB, or delete objects';
  return tooManyRequests(`kadmit has used up its memory of ${gigabytes} GiB: ${more}`, 1);
}

export function watchMemory(): MemoryGuard & UnsentResponses & { readonly close: () => void } {
  const unsent = createUnsentResponses();
  const heap = (): Heap => {
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
    return { used, limit };
  };
  const guard = createMemoryGuard(heap, () => performance.now());
  const observer = new PerformanceObserver((list) => {
    if (list.getEntries().some(isMajor)) guard.onCollected();
  });
  observer.observe({ entryTypes: ['gc'] });
  return {
    ...guard,
    track: unsent.track,
    refusal: (method) => guard.refusal(method) ?? unsent.refusal(method),
    close: () => observer.disconnect(),
  };
}

const isMajor = (entry: object): boolean =>
  'detail' in entry &&
  typeof entry.detail === 'object' &&
  entry.detail !== null &&
  'kind' in entry.detail &&
  entry.detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR;

interface UnsentResponses {
  /** Counts a response until it is sent or its client disconnects. */
  readonly track: (response: WireResponse, stream: Pick<NodeJS.EventEmitter, 'once'>) => void;
  /** A 429 when too many bytes wait for clients to read them. */
  readonly refusal: (method: string) => Status | undefined;
}

const maxUnsentBytes = 512 * 1024 * 1024;

/** Smaller responses are not counted: there are thousands per second. */
const smallResponse = 16 * 1024;

/** Bounds what clients that do not read long lists keep outside of V8's heap. DELETE always runs. */
export function createUnsentResponses(limit: number = maxUnsentBytes): UnsentResponses {
  let unsent = 0;
  return {
    track: (response, stream) => {
      const bytes = bytesOf(response);
      if (bytes < smallResponse) return;
      unsent += bytes;
      stream.once('close', () => {
        unsent -= bytes;
      });
    },
    refusal: (method) => {
      if (unsent <= limit || method === 'DELETE') return undefined;
      const megabytes = Math.ceil(unsent / 2 ** 20);
      return tooManyRequests(`${megabytes} MiB of responses wait for their clients to read them`, 1);
    },
  };
}

/** A watch has a bound of its own. */
const bytesOf = (response: WireResponse): number => (response.type === 'buffered' ? response.body.length : 0);
