/** Time, identity and chance, as arguments. Real ones are in app/server/clock.ts. */
export interface Clock {
  /** Milliseconds since 1970, with fractions. */
  readonly now: () => number;
  /** Resolves after `milliseconds`, or at once when the signal aborts. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

/** A fresh UUID version 4, lower case. */
export type NewUid = () => string;

/** A number from 0 (inclusive) to 1 (exclusive). */
export type Random = () => number;

/** Waits for the next iteration of the event loop when this one has taken too long, so that other requests proceed. */
export type YieldIfLong = () => Promise<void>;
