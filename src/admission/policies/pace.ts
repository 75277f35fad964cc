/** Lets others have their turn after so much work. */
export interface Pace {
  /** Something to wait for, after work of this cost; undefined while it is not yet enough. */
  readonly spend: (cost: number) => Promise<void> | undefined;
  /** Counts work after which nobody can wait; the next to spend something does. */
  readonly owe: (cost: number) => void;
}

/** Some 20 milliseconds of a processor. */
const longestWork = 500_000;

/** Counts the cost of expressions, of all requests, since the event loop last went round. */
export function createPace(breathe: () => Promise<void>): Pace {
  let spent = 0;
  return {
    owe: (cost) => {
      spent += cost;
    },
    spend: (cost) => {
      spent += cost;
      if (spent < longestWork) return undefined;
      spent = 0;
      return breathe();
    },
  };
}
