import { workInSteps } from '../../apimachinery/in-turns.ts';
import type { Pause, Steps } from '../../apimachinery/pause.ts';
import type { ExpressionResult } from './expressions.ts';

/** Lets others have their turn after so much work. */
export interface Pace {
  /** Counts work of this cost; true when somebody should rest. */
  readonly owe: (cost: number) => boolean;
  /** Something to wait for, if it is time. */
  readonly rest: Pause;
  /** Milliseconds of processors, for work that looks at them itself. */
  readonly now?: (() => number) | undefined;
}

/** Some 10 milliseconds of a processor. */
const longestWork = 250_000;

/** Counts the cost of expressions, of all requests, since the event loop last went round. */
export function createPace(breathe: () => Promise<void>, now?: () => number): Pace {
  let spent = 0;
  return {
    now,
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
export function* paid(
  evaluate: () => ExpressionResult,
  pace: Pick<Pace, 'owe' | 'now'> | undefined,
): Steps<ExpressionResult> {
  const result = yield* inPace(evaluate, pace);
  if ('cost' in result) pace?.owe(result.cost);
  return result;
}

/** Work that may be left in its long loops: then it is time for somebody else. */
export function* inPace<T>(work: () => T, pace: Pick<Pace, 'owe' | 'now'> | undefined): Steps<T> {
  const steps = workInSteps(work, pace?.now);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    pace?.owe(longestWork);
    yield;
  }
}
