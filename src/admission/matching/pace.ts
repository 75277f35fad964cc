import type { Pause } from '../../apimachinery/pause.ts';
import type { ExpressionResult } from './expressions.ts';

/** Lets others have their turn after so much work. */
export interface Pace {
  /** Counts work of this cost; true when somebody should rest. */
  readonly owe: (cost: number) => boolean;
  /** Something to wait for, if it is time. */
  readonly rest: Pause;
}

/** Some 10 milliseconds of a processor. */
const longestWork = 250_000;

/** Counts the cost of expressions, of all requests, since the event loop last went round. */
export function createPace(breathe: () => Promise<void>): Pace {
  let spent = 0;
  return {
    owe: (cost) => {
      spent += cost;
      return spent >= longestWork;
    },
    rest: () => {
      if (spent < longestWork) return undefined;
      spent = 0;
      return breathe();
    },
  };
}

/** The result, its cost counted. */
export function paid(result: ExpressionResult, pace: Pick<Pace, 'owe'> | undefined): ExpressionResult {
  if ('cost' in result) pace?.owe(result.cost);
  return result;
}
