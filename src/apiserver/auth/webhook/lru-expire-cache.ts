/** An LRU cache with expiry. */
export interface LruExpireCache<T> {
  readonly get: (key: string) => T | undefined;
  /** 0 milliseconds or a large entry: not cached. */
  readonly add: (key: string, answer: { readonly value: T; readonly bytes: number }, ttlMs: number) => void;
}

interface Entry<T> {
  readonly value: T;
  readonly until: number;
  readonly weight: number;
}

/** Bytes of all entries, since clients choose their size. */
const maxBytes = 32 * 1024 * 1024;
const maxEntryBytes = 256 * 1024;

/** Follows apimachinery pkg/util/cache/lruexpirecache.go; the weight is kadmit's. */
export function createLruExpireCache<T>(max: number, now: () => number): LruExpireCache<T> {
  const entries = new Map<string, Entry<T>>();
  let weight = 0;
  const remove = (key: string): Entry<T> | undefined => {
    const entry = entries.get(key);
    entries.delete(key);
    weight -= entry?.weight ?? 0;
    return entry;
  };
  const put = (key: string, entry: Entry<T>): void => {
    entries.set(key, entry);
    weight += entry.weight;
  };
  return {
    get: (key) => {
      const entry = remove(key);
      if (!entry || entry.until <= now()) return undefined;
      put(key, entry);
      return entry.value;
    },
    add: (key, { value, bytes }, ttlMs) => {
      if (ttlMs <= 0) return;
      remove(key);
      if (key.length + bytes > maxEntryBytes) return;
      put(key, { value, until: now() + ttlMs, weight: key.length + bytes });
      for (const oldest of entries.keys()) {
        if (entries.size <= max && weight <= maxBytes) break;
        remove(oldest);
      }
    },
  };
}
