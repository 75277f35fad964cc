import type { NumberedSummary } from '../explain/trace/trace-summary.ts';

/** Newest first. */
export interface RequestStore {
  readonly shown: () => readonly NumberedSummary[];
  /** Number of requests received while paused. */
  readonly waiting: () => number;
  /** New requests, oldest first. */
  readonly add: (fresh: readonly NumberedSummary[]) => void;
  /** Earlier requests, newest first. */
  readonly addOlder: (older: readonly NumberedSummary[]) => void;
  readonly setPaused: (paused: boolean) => void;
  readonly isPaused: () => boolean;
  readonly onChanged: (listener: () => void) => () => void;
}

/** Keeps the newest `limit`. While paused, new requests are collected without being shown. */
export function createRequestStore(limit = 10_000): RequestStore {
  let shown: readonly NumberedSummary[] = [];
  let waiting: readonly NumberedSummary[] = [];
  let paused = false;
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    shown: () => shown,
    waiting: () => waiting.length,
    add: (fresh) => {
      if (fresh.length === 0) return;
      if (paused) waiting = mergeRequests(waiting, fresh, limit);
      else shown = mergeRequests(shown, fresh, limit);
      changed();
    },
    addOlder: (older) => {
      const ids = new Set(shown.map(({ id }) => id));
      shown = [...shown, ...older.filter(({ id }) => !ids.has(id))].slice(0, limit);
      changed();
    },
    setPaused: (next) => {
      paused = next;
      if (!paused && waiting.length > 0) {
        shown = mergeRequests(shown, waiting.toReversed(), limit);
        waiting = [];
      }
      changed();
    },
    isPaused: () => paused,
    onChanged: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** A repeated id replaces its earlier request. */
function mergeRequests(
  old: readonly NumberedSummary[],
  fresh: readonly NumberedSummary[],
  limit: number,
): readonly NumberedSummary[] {
  const ids = new Set(fresh.map(({ id }) => id));
  const newest = fresh.toReversed();
  const remaining = old.filter(({ id }) => !ids.has(id));
  return [...newest, ...remaining].slice(0, limit);
}
