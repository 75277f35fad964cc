import type { Digest } from '../explain/render/digest.ts';
import type { NumberedSummary } from '../explain/trace/trace-summary.ts';
import type { PageSource } from './page-source.ts';

/** The headlines and findings of requests, fetched once each. */
export interface DigestStore {
  /** undefined while unknown. */
  readonly get: (row: NumberedSummary) => Digest | undefined;
  /** Fetches the digests of these rows. */
  readonly want: (rows: readonly NumberedSummary[]) => void;
  /** The number of rows still to fetch. */
  readonly awaited: () => number;
  readonly onChanged: (listener: () => void) => () => void;
}

/** Rows of one request to the server. */
const batchSize = 200;
/** Bounds the memory of a page that stays open for days. */
const maxCached = 20_000;

/** Fetches in batches, the rows requested last first. */
export function createDigestStore(fetchDigests: PageSource['digests']): DigestStore {
  const known = new Map<number, Digest | undefined>();
  let queue: readonly NumberedSummary[] = [];
  let isFetching = false;
  const listeners = new Set<() => void>();
  const next = async (): Promise<void> => {
    const batch = queue.slice(0, batchSize);
    queue = queue.slice(batchSize);
    if (known.size > maxCached) known.clear();
    // The list works without digests.
    const fetched = await fetchDigests(batch.map(({ id }) => id)).catch(() => new Map<string, Digest>());
    for (const { id, sequence } of batch) known.set(sequence, fetched.get(id));
    for (const listener of listeners) listener();
    if (queue.length > 0) return next();
    return undefined;
  };
  return {
    get: ({ sequence }) => known.get(sequence),
    want: (rows) => {
      const missing = rows.filter(({ sequence }) => !known.has(sequence));
      if (missing.length === 0) return;
      const first = new Set(missing.map(({ sequence }) => sequence));
      queue = [...missing, ...queue.filter(({ sequence }) => !first.has(sequence) && !known.has(sequence))];
      if (isFetching) return;
      isFetching = true;
      void next().finally(() => (isFetching = false));
    },
    awaited: () => queue.length,
    onChanged: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
