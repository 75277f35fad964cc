/** Answers for a while; the one that was used longest ago goes first when there are too many. */
export interface AnswerCache<T> {
  readonly get: (key: string) => T | undefined;
  /** Milliseconds; 0: it is not kept. */
  readonly add: (key: string, value: T, keptMs: number) => void;
}

/** Follows apimachinery pkg/util/cache/lruexpirecache.go. */
export function createAnswerCache<T>(most: number, now: () => number): AnswerCache<T> {
  const entries = new Map<string, { readonly value: T; readonly until: number }>();
  return {
    get: (key) => {
      const entry = entries.get(key);
      if (!entry) return undefined;
      entries.delete(key);
      if (entry.until <= now()) return undefined;
      entries.set(key, entry);
      return entry.value;
    },
    add: (key, value, keptMs) => {
      if (keptMs <= 0) return;
      entries.delete(key);
      entries.set(key, { value, until: now() + keptMs });
      const [oldest] = entries.size > most ? entries.keys() : [];
      if (oldest !== undefined) entries.delete(oldest);
    },
  };
}
