import type { CelResult, Value } from '../value/value.ts';

/** The state of one evaluation. Only its steps write to it. */
export interface EvaluationFrame {
  /** The variables, by the slots that the planner gave out. */
  readonly slots: CelResult[];
  cost: number;
  readonly costLimit: number;
  /** Rounds of all loops, counted for the interruption check. */
  rounds: number;
  readonly interrupted: (() => boolean) | undefined;
  readonly memory: MemoryBudget;
  readonly observe: Observe | undefined;
  /** Variables that are Go values, as objects of built-in kinds are since 1.37. */
  readonly isTyped: ((variable: string) => boolean) | undefined;
}

/** About how many bytes of strings and lists the evaluation may still create. */
export interface MemoryBudget {
  remaining: number;
}

/** For all expressions of a list together: far more than they need, far less than the memory of a server. */
export const createMemoryBudget = (): MemoryBudget => ({ remaining: 256 * 1024 * 1024 });

/** Receives the value of every part of the expression, by id. */
export type Observe = (id: number, result: CelResult) => void;

/** One part of a planned expression. */
export type EvaluationStep = (frame: EvaluationFrame) => CelResult;

/** Ends an evaluation from inside; caught where it began. */
export class Cancelled extends Error {}

export const costExceeded = 'operation cancelled: actual cost limit exceeded';

/** The maximum length of a string that a call creates, in characters: more than any request has. */
export const maxResultLength = 16 * 1024 * 1024;

/** The maximum length of a list that a call creates: more than any expression may read. */
export const maxElements = 4_000_000;

const interruptedText = 'operation interrupted';
const roundsBetweenChecks = 100;

export function chargeCost(frame: EvaluationFrame, cost: number): void {
  frame.cost += cost;
  if (frame.cost > frame.costLimit) throw new Cancelled(costExceeded);
}

/** Approximate bytes of an element of a list. */
const elementSize = 8;

/** Charges the memory budget that the expressions of a list share; the cost does not include memory. */
export function chargeMemory(frame: EvaluationFrame, result: CelResult): CelResult {
  if (typeof result === 'string') frame.memory.remaining -= result.length;
  else if (Array.isArray(result)) frame.memory.remaining -= elementSize * result.length;
  if (frame.memory.remaining < 0) throw new Cancelled(costExceeded);
  return result;
}

/** Counts an iteration of a loop and checks for interruption every 100. Follows cel-go interpreter/interpretable.go evalFold. */
export function countRound(frame: EvaluationFrame): void {
  frame.rounds += 1;
  if (frame.rounds % roundsBetweenChecks === 0) checkInterruption(frame);
}

/** For work that takes longer than its cost suggests. */
export function checkInterruption(frame: EvaluationFrame): void {
  if (frame.interrupted?.() === true) throw new Cancelled(interruptedText);
}

/**
 * The implementation of a function: takes its arguments, the receiver first, ignores further ones, checks their types,
 * and returns `no such overload` for types that it does not support.
 */
export type CelOperation = (a: Value, b: Value, c: Value, d: Value) => CelResult;

/**
 * The error when the expressions of a list have used up their shared budget. Follows apiserver
 * pkg/admission/plugin/cel/activation.go.
 */
export const outOfBudget =
  'validation failed due to running out of cost budget, no further validation rules will be run';
