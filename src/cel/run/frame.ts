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

/** Characters, more than any request has: what a call makes may not be longer, whatever it costs. */
export const maxResultLength = 16 * 1024 * 1024;

/** Of a list that a call makes: more than any expression may read. */
export const maxElements = 4_000_000;

const interruptedText = 'operation interrupted';
const roundsBetweenChecks = 100;

export function chargeCost(frame: EvaluationFrame, cost: number): void {
  frame.cost += cost;
  if (frame.cost > frame.costLimit) throw new Cancelled(costExceeded);
}

/** Bytes, more or less, of an element of a list. */
const elementSize = 8;

/** What calls make has to fit into what is left for all that the expressions of a list make; the cost does not include it. */
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

/** For work whose cost does not reflect how long it takes. */
export function checkInterruption(frame: EvaluationFrame): void {
  if (frame.interrupted?.() === true) throw new Cancelled(interruptedText);
}

/**
 * What a function does with its arguments, the receiver first; a function of fewer arguments ignores the rest.
 * It checks the types itself and returns `no such overload` for those it does not take.
 */
export type CelOperation = (a: Value, b: Value, c: Value, d: Value) => CelResult;

/** Said where the expressions of a list have used up what they have together. Follows apiserver pkg/admission/plugin/cel/activation.go. */
export const outOfBudget =
  'validation failed due to running out of cost budget, no further validation rules will be run';
