import type { FindingBadge } from '../explain/findings/digest.ts';
import type { NumberedSummary } from '../explain/trace/trace-summary.ts';
import type { PageSource } from './page-source.ts';

/** The marks of requests, asked for once each. */
export interface MarkStore {
  /** undefined as long as it is not known, and for a request without findings. */
  readonly markOf: (row: NumberedSummary) => FindingBadge | undefined;
  /** Those of these rows are wanted; what is known is not asked for again. */
  readonly want: (rows: readonly NumberedSummary[]) => void;
  /** How many are wanted and not there yet. */
  readonly awaited: () => number;
  readonly onChanged: (listener: () => void) => () => void;
}

/** How many the server is asked about at once. */
const batchSize = 200;
/** So that a page that is open for days does not grow. */
const mostKnown = 20_000;

/** Asks for the marks a batch after the other, the rows that were wanted last first. */
export function createMarkStore(ask: PageSource['marks']): MarkStore {
  const known = new Map<number, FindingBadge | undefined>();
  let queue: readonly NumberedSummary[] = [];
  let isAsking = false;
  const listeners = new Set<() => void>();
  const next = async (): Promise<void> => {
    const batch = queue.slice(0, batchSize);
    queue = queue.slice(batchSize);
    if (known.size > mostKnown) known.clear();
    // A list without marks is still a list.
    const found = await ask(batch.map(({ id }) => id)).catch(() => new Map<string, FindingBadge>());
    for (const { id, sequence } of batch) known.set(sequence, found.get(id));
    for (const listener of listeners) listener();
    if (queue.length > 0) return next();
    return undefined;
  };
  return {
    markOf: ({ sequence }) => known.get(sequence),
    want: (rows) => {
      const wanted = rows.filter(({ sequence }) => !known.has(sequence));
      if (wanted.length === 0) return;
      const first = new Set(wanted.map(({ sequence }) => sequence));
      queue = [...wanted, ...queue.filter(({ sequence }) => !first.has(sequence) && !known.has(sequence))];
      if (isAsking) return;
      isAsking = true;
      void next().finally(() => (isAsking = false));
    },
    awaited: () => queue.length,
    onChanged: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
