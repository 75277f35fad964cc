import {
  type CelOperation,
  chargeCost,
  checkInterruption,
  countMade,
  type EvaluationFrame,
  type EvaluationStep,
} from './frame.ts';
import type { CallCost } from '../value/value-text.ts';
import { mapKey } from '../value/map-key.ts';
import { constantPlan, type EvaluationPlan } from './planner.ts';
import { CelError, isCelList, type CelResult, type Value } from '../value/value.ts';

/**
 * Evaluates the arguments, then the operation. Up to two arguments are evaluated even when the first fails, and the
 * call is paid for; of three or more, the first failure ends it unpaid. Follows cel-go interpreter/interpretable.go.
 */
export function callStep(operation: CelOperation, plans: readonly EvaluationPlan[], cost: CallCost): EvaluationStep {
  const steps = plans.map(({ step }) => step);
  const [first, second] = steps;
  if (first === undefined) return paid(cost, () => operation(null, null, null, null));
  if (second === undefined) return unaryStep(operation, first, cost);
  return steps.length === 2 ? binaryStep(operation, [first, second], cost) : variadicStep(operation, steps, cost);
}

const costFor = (cost: CallCost, first: CelResult, second: CelResult, result: CelResult): number =>
  typeof cost === 'number' ? cost : cost(first, second, result);

/** A cost that is known beforehand is paid beforehand: work that is too dear is not even begun. */
const isKnownBefore = (cost: CallCost): boolean => typeof cost === 'number' || cost.length < 3;

const longList = 100;
const longText = 1000;

/** Can work on this value take longer than its cost suggests? Work on a short list of objects can. */
function isLarge(value: CelResult): boolean {
  if (typeof value === 'string') return value.length > longText;
  if (Array.isArray(value)) return value.length > longList || isObject(value[0]);
  return isObject(value);
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

const paid =
  (cost: CallCost, run: () => CelResult): EvaluationStep =>
  (frame) => {
    const result = run();
    chargeCost(frame, costFor(cost, null, null, result));
    return result;
  };

function unaryStep(operation: CelOperation, argument: EvaluationStep, cost: CallCost): EvaluationStep {
  const known = isKnownBefore(cost);
  return (frame) => {
    const value = argument(frame);
    if (known) chargeCost(frame, costFor(cost, value, null, null));
    const result = value instanceof CelError ? value : countMade(frame, operation(value, null, null, null));
    if (!known) chargeCost(frame, costFor(cost, value, null, result));
    if (frame.interrupted !== undefined && isLarge(value)) checkInterruption(frame);
    return result;
  };
}

function onPair(operation: CelOperation, a: CelResult, b: CelResult): CelResult {
  if (a instanceof CelError) return a;
  return b instanceof CelError ? b : operation(a, b, null, null);
}

function binaryStep(
  operation: CelOperation,
  [first, second]: readonly [EvaluationStep, EvaluationStep],
  cost: CallCost,
): EvaluationStep {
  const known = isKnownBefore(cost);
  return (frame) => {
    const a = first(frame);
    const b = second(frame);
    if (known) chargeCost(frame, costFor(cost, a, b, null));
    const result = countMade(frame, onPair(operation, a, b));
    if (!known) chargeCost(frame, costFor(cost, a, b, result));
    if (frame.interrupted !== undefined && (isLarge(a) || isLarge(b))) checkInterruption(frame);
    return result;
  };
}

function variadicStep(operation: CelOperation, steps: readonly EvaluationStep[], cost: CallCost): EvaluationStep {
  const known = isKnownBefore(cost);
  return (frame) => {
    const values = argumentsOf(frame, steps, cost);
    if (values instanceof CelError) return values;
    const [a = null, b = null, c = null, d = null] = values;
    if (known) chargeCost(frame, costFor(cost, a, b, null));
    const result = countMade(frame, operation(a, b, c, d));
    if (!known) chargeCost(frame, costFor(cost, a, b, result));
    if (frame.interrupted !== undefined && isLarge(a)) checkInterruption(frame);
    return result;
  };
}

/** The arguments, or the first failure; only when it is that of the last one, the call is paid for. */
function argumentsOf(
  frame: EvaluationFrame,
  steps: readonly EvaluationStep[],
  cost: CallCost,
): readonly Value[] | CelError {
  const values: Value[] = [];
  for (const [index, step] of steps.entries()) {
    const value = step(frame);
    if (value instanceof CelError) {
      if (index === steps.length - 1) chargeCost(frame, costFor(cost, values[0] ?? null, values[1] ?? null, value));
      return value;
    }
    values.push(value);
  }
  return values;
}

const conversions: ReadonlySet<string> = new Set(
  'bool bytes double dyn duration int string timestamp type uint'.split(' '),
);

export const isTypeConversion = (name: string): boolean => conversions.has(name);

/** `x in [constants]` becomes a look-up that costs nothing. Follows cel-go interpreter/decorators.go. */
export function setMembership(plans: readonly EvaluationPlan[]): EvaluationPlan | undefined {
  const [needle, haystack] = plans;
  const list = haystack?.constant?.value;
  if (needle === undefined || list === undefined || !isCelList(list)) return undefined;
  if (list.length === 0) return constantPlan(false);
  const members = new Set(list.map(mapKey));
  if (members.has(undefined)) return undefined;
  return {
    step: (frame) => {
      const value = needle.step(frame);
      if (value instanceof CelError) return value;
      return members.has(mapKey(value) ?? absent);
    },
  };
}

const absent = '\u0000no key at all';
