/** A deadline that can be paused: while paused it moves on with the clock. */
export interface Deadline {
  /** Milliseconds since 1970, plus the time of all pauses; Infinity for no deadline. */
  readonly at: () => number;
  /** Pauses; the returned function resumes. Of several pauses, the last resume counts. */
  readonly pauseClock: () => () => void;
}

/** `moment` is in milliseconds since 1970, as `now` is. */
export function createDeadline(moment: number, now: () => number): Deadline {
  let at = moment;
  let since = 0;
  let holders = 0;
  return {
    at: () => (holders === 0 ? at : at + now() - since),
    pauseClock: () => {
      if (holders === 0) since = now();
      holders += 1;
      let isHolding = true;
      return () => {
        if (!isHolding) return;
        isHolding = false;
        holders -= 1;
        if (holders === 0) at += now() - since;
      };
    },
  };
}

export const noDeadline: Deadline = { at: () => Infinity, pauseClock: () => () => {} };

/** The deadline of a write of one object, for all its webhooks together. Follows apiserver pkg/endpoints/handlers/rest.go requestTimeoutUpperBound (rule FAIL-40). */
export const requestSeconds = 34;
