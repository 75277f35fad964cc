import { keptInTurns, turnOfWork } from './in-turns.ts';
import { atOnce } from './pause.ts';
import type { Steps } from './pause.ts';

/** What came of steps: kept, so that they are not gone through again. */
interface Going<T> {
  readonly steps: Steps<T>;
  readonly values: T[];
  readonly thrown: unknown[];
}

/**
 * What steps come to, each of which goes on until `isDue`: others are let in after it. They are gone through once, whether
 * they come to something or throw, and have no loop of their own that may be left.
 */
export function pacedStepsInTurns<T>(start: (isDue: () => boolean) => Steps<T>): T {
  const turn = turnOfWork();
  if (turn === undefined) return atOnce(start(() => false));
  const { steps, values, thrown } = keptInTurns((): Going<T> => ({ steps: start(turn.isDue), values: [], thrown: [] }));
  if (values.length + thrown.length === 0 && !isThrough(steps, values, thrown)) turn.leave();
  if (thrown.length > 0) throw thrown[0];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- they are through
  return values[0] as T;
}

function isThrough<T>(steps: Steps<T>, values: T[], thrown: unknown[]): boolean {
  try {
    const { done, value } = steps.next();
    if (done) values.push(value);
    return done === true;
  } catch (error) {
    thrown.push(error);
    return true;
  }
}

/** Does a part of a tree, unless it is done. */
export type DoPart = <T>(part: object, work: () => T) => T;

/**
 * For work on a tree: what its parts come to is remembered while the work is begun again, and others are let in between two
 * of them. A part in which the work was left is begun again too, without those of its own that are done.
 */
export function partsInTurns(): DoPart {
  const turn = turnOfWork();
  if (turn === undefined) return (_part, work) => work();
  const known = keptInTurns(() => new Map<object, unknown>());
  return (part, work) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same part of the same work comes to the same
    if (known.has(part)) return known.get(part) as ReturnType<typeof work>;
    const value = work();
    known.set(part, value);
    if (turn.isDue()) turn.leave();
    return value;
  };
}
