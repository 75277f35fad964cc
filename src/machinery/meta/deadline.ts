/** The moment at which something must be done. It can be made to stand still: then it moves on with the clock. */
export interface Deadline {
  /** Milliseconds since 1970, with the time added that it has stood still; Infinity when nothing bounds it. */
  readonly at: () => number;
  /** Stands still from now on; the returned function lets it go on. While several hold it, it waits for the last. */
  readonly standStill: () => () => void;
}

/** `moment` is in milliseconds since 1970, as `now` is. */
export function createDeadline(moment: number, now: () => number): Deadline {
  let at = moment;
  let since = 0;
  let holders = 0;
  return {
    at: () => (holders === 0 ? at : at + now() - since),
    standStill: () => {
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

/** Nothing bounds it. */
export const noDeadline: Deadline = { at: () => Infinity, standStill: () => () => {} };

/** What the server gives a write of one object, whatever its webhooks say. Follows apiserver pkg/endpoints/handlers/rest.go requestTimeoutUpperBound (rule FAIL-40). */
export const requestSeconds = 34;
