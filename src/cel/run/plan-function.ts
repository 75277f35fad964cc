import {
  type CelOperation,
  chargeCost,
  checkInterruption,
  chargeMemory,
  type EvaluationStep,
  type EvaluationFrame,
} from './frame.ts';
import type { RuntimeCost } from '../library/cel-function.ts';
import { mapKey } from '../value/map-key.ts';
import { constantPlan, type EvaluationPlan } from './planner.ts';
import { CelError, isCelList, type CelResult, type Value } from '../value/value.ts';

/**
 * Evaluates the arguments, then the operation. Up to two arguments are evaluated even when the first fails, and the
 * call is paid for; of three or more, a failure before the last one ends it unpaid. Follows cel-go interpreter/interpretable.go.
 */
export function callStep(operation: CelOperation, plans: readonly EvaluationPlan[], cost: RuntimeCost): EvaluationStep {
  const steps = plans.map(({ step }) => step);
  const isCostKnown = isKnownBefore(cost);
  return (frame) => {
    const { args, failure } = evaluateArguments(frame, steps);
    if (failure && args.length < steps.length) return failure;
    const [a = null, b = null, c = null, d = null] = args;
    if (isCostKnown) chargeCost(frame, computeCost(cost, a, b, null));
    const result = failure ?? chargeMemory(frame, operation(a, b, c, d));
    if (!isCostKnown) chargeCost(frame, computeCost(cost, a, b, result));
    if (isLarge(a) || isLarge(b)) checkInterruption(frame);
    return result;
  };
}

interface EvaluatedArguments {
  /** null for a failed one. */
  readonly args: readonly Value[];
  readonly failure: CelError | undefined;
}

/** Three or more arguments: evaluates none after the first failure. */
function evaluateArguments(frame: EvaluationFrame, steps: readonly EvaluationStep[]): EvaluatedArguments {
  const args: Value[] = [];
  let failure: CelError | undefined;
  for (const step of steps) {
    if (failure && steps.length > 2) break;
    const value = step(frame);
    const isFailure = value instanceof CelError;
    if (isFailure) failure ??= value;
    args.push(isFailure ? null : value);
  }
  return { args, failure };
}

const computeCost = (cost: RuntimeCost, first: CelResult, second: CelResult, result: CelResult): number =>
  typeof cost === 'number' ? cost : cost(first, second, result);

/** A cost that is known in advance is charged before the call, so that too expensive work does not start. */
const isKnownBefore = (cost: RuntimeCost): boolean => typeof cost === 'number' || cost.length < 3;

const longList = 100;
const longText = 1000;

/** Can work on this value take longer than its cost suggests? Work on a short list of objects can. */
function isLarge(value: CelResult): boolean {
  if (typeof value === 'string') return value.length > longText;
  if (Array.isArray(value)) return value.length > longList || isObject(value[0]);
  return isObject(value);
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

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
