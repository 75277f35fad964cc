/** Answers for a while; the one that was used longest ago goes first when there are too many. */
export interface AnswerCache<T> {
  readonly get: (key: string) => T | undefined;
  /** 0 milliseconds: it is not kept; nor is what weighs much. */
  readonly add: (key: string, answer: { readonly value: T; readonly bytes: number }, keptMs: number) => void;
}

interface Entry<T> {
  readonly value: T;
  readonly until: number;
  readonly weight: number;
}

/** Bytes of all questions and answers, and of one: whoever asks or answers may choose how long they are. */
const mostBytes = 32 * 1024 * 1024;
const mostOfOne = 256 * 1024;

/** Follows apimachinery pkg/util/cache/lruexpirecache.go; the weight is ours. */
export function createAnswerCache<T>(most: number, now: () => number): AnswerCache<T> {
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
    add: (key, { value, bytes }, keptMs) => {
      if (keptMs <= 0) return;
      remove(key);
      if (key.length + bytes > mostOfOne) return;
      put(key, { value, until: now() + keptMs, weight: key.length + bytes });
      for (const oldest of entries.keys()) {
        if (entries.size <= most && weight <= mostBytes) break;
        remove(oldest);
      }
    },
  };
}
