import type { Result } from '../value/value.ts';

/** What one evaluation carries along. Steps write to it; nobody else holds it. */
export interface Frame {
  /** The variables, by the slots that the planner gave out. */
  readonly slots: Result[];
  cost: number;
  readonly costLimit: number;
  /** Rounds of all loops, counted for the interruption check. */
  rounds: number;
  readonly interrupted: (() => boolean) | undefined;
  readonly observe: Observe | undefined;
}

/** Is told the value of every part of the expression, by id. */
export type Observe = (id: number, result: Result) => void;

/** One part of a planned expression. */
export type Step = (frame: Frame) => Result;

/** Ends an evaluation from inside; caught where it began. */
export class Cancelled extends Error {}

export const costExceeded = 'operation cancelled: actual cost limit exceeded';
const interruptedText = 'operation interrupted';
const roundsBetweenChecks = 100;

export function charge(frame: Frame, cost: number): void {
  frame.cost += cost;
  if (frame.cost > frame.costLimit) throw new Cancelled(costExceeded);
}

/** Several costs of 1 at once: the limit is still hit by the first of them that is too many. */
export function chargeUnits(frame: Frame, units: number): void {
  frame.cost += units;
  if (frame.cost <= frame.costLimit) return;
  frame.cost = frame.costLimit + 1;
  throw new Cancelled(costExceeded);
}

/** Counts a round of a loop and asks every 100 whether to go on. Follows cel-go interpreter/interpretable.go evalFold. */
export function countRound(frame: Frame): void {
  frame.rounds += 1;
  if (frame.rounds % roundsBetweenChecks === 0) checkInterruption(frame);
}

/** For work whose cost does not tell how long it takes. */
export function checkInterruption(frame: Frame): void {
  if (frame.interrupted?.() === true) throw new Cancelled(interruptedText);
}
