/** Waits that double with every attempt at the same thing, and are forgotten when it rests. */
export interface Backoff {
  /** Milliseconds still to wait before the next attempt at `key`; 0 begins one. */
  readonly next: (key: string, now: number) => number;
}

/** Follows client-go util/flowcontrol/backoff.go. */
export function createBackoff({ first, longest }: { readonly first: number; readonly longest: number }): Backoff {
  const attempts = new Map<string, { readonly at: number; readonly wait: number }>();
  return {
    next: (key, now) => {
      const last = attempts.get(key);
      if (last && now - last.at < last.wait) return last.at + last.wait - now;
      for (const [old, { at }] of attempts) if (now - at > 2 * longest) attempts.delete(old);
      attempts.set(key, {
        at: now,
        wait: last && now - last.at <= 2 * longest ? Math.min(2 * last.wait, longest) : first,
      });
      return 0;
    },
  };
}
