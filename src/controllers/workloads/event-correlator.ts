/** Follows client-go tools/record/events_cache.go: what becomes of an event that resembles earlier ones. */
export interface Correlator {
  /** `family`: all of the key but the message. */
  readonly correlate: (event: {
    readonly family: string;
    readonly message: string;
    readonly now: number;
  }) => Correlated;
}

export type Correlated =
  | { readonly outcome: 'new'; readonly message: string; readonly remember: (name: string) => void }
  | { readonly outcome: 'again'; readonly message: string; readonly name: string; readonly count: number }
  /** One object has too many events. */
  | { readonly outcome: 'dropped' };

interface Family {
  messages: Set<string>;
  last: number;
}

interface Seen {
  readonly name: string;
  count: number;
}

const similar = 10;
const similarFor = 600_000;
const burst = 25;
const refill = 300_000;
/** More than that are forgotten, the oldest first. */
const most = 4096;

export function createCorrelator(sourceOf: (family: string) => string): Correlator {
  const families = new Map<string, Family>();
  const seen = new Map<string, Seen>();
  const buckets = new Map<string, { tokens: number; at: number }>();
  const aggregate = (family: string, message: string, now: number): readonly [key: string, message: string] => {
    const known = families.get(family);
    const record = known && now - known.last <= similarFor ? known : { messages: new Set<string>(), last: now };
    record.last = now;
    remember(families, family, record);
    if (record.messages.has(message) || record.messages.size < similar - 1) {
      record.messages.add(message);
      return [`${family}\n${message}`, message];
    }
    return [family, `(combined from similar events): ${message}`];
  };
  const hasToken = (source: string, now: number): boolean => {
    const bucket = buckets.get(source) ?? { tokens: burst, at: now };
    const tokens = Math.min(burst, bucket.tokens + (now - bucket.at) / refill);
    remember(buckets, source, { tokens: tokens < 1 ? tokens : tokens - 1, at: now });
    return tokens >= 1;
  };
  return {
    correlate: ({ family, message, now }) => {
      const [key, text] = aggregate(family, message, now);
      const before = seen.get(key);
      if (before) before.count += 1;
      if (!hasToken(sourceOf(family), now)) return { outcome: 'dropped' };
      if (before) return { outcome: 'again', message: text, name: before.name, count: before.count };
      return { outcome: 'new', message: text, remember: (name) => remember(seen, key, { name, count: 1 }) };
    },
  };
}

function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
