import { onceInTurns } from '../../apimachinery/in-turns.ts';
import type { CallCost } from '../value/size.ts';
import { Box, CelError } from '../value/value.ts';
import type { Result } from '../value/value.ts';
import { Cancelled, charge, checkInterruption, costExceeded } from './frame.ts';
import type { Frame } from './frame.ts';

const longText = 4000;
const longList = 500;

/** May a call on this take milliseconds? A short list may hold much. */
export function isLong(value: Result): boolean {
  if (typeof value === 'string') return value.length > longText;
  if (typeof value !== 'object' || value === null || value instanceof CelError) return false;
  if (value instanceof Box) return !shortKinds.has(value.kind);
  if (Array.isArray(value)) return value.length > longList || (typeof value[0] === 'object' && value[0] !== null);
  return !(value instanceof Uint8Array) || value.length > longText;
}

const shortKinds: ReadonlySet<string> = new Set(
  'double uint timestamp duration type ip cidr quantity format authorizer lazy'.split(' '),
);

/** What a call costs and comes to. */
interface Call {
  readonly cost: number;
  readonly result: Result;
}

/**
 * A call on something long: what it costs and comes to is found once, however often the expression is begun again, and
 * others are let in after it.
 */
export function longCall(
  frame: Frame,
  [cost, a, b]: readonly [cost: CallCost, first: Result, second: Result],
  run: () => Result,
): Result {
  const call = onceInTurns((): Call => {
    checkInterruption(frame);
    if (typeof cost === 'function' && cost.length > 2) {
      const result = counted(frame, run());
      return { cost: cost(a, b, result), result };
    }
    const known = typeof cost === 'number' ? cost : cost(a, b, null);
    // What is too dear is not even begun.
    const isTooDear = frame.cost + known > frame.costLimit;
    return { cost: known, result: isTooDear ? null : counted(frame, run()) };
  });
  charge(frame, call.cost);
  return call.result;
}

/** Bytes, more or less, of an element of a list. */
const elementSize = 8;

/** What is made has to fit into what is left for all that the expressions of a list make; the cost does not tell. */
function counted(frame: Frame, result: Result): Result {
  if (typeof result === 'string') frame.room.left -= result.length;
  else if (Array.isArray(result)) frame.room.left -= elementSize * result.length;
  if (frame.room.left < 0) throw new Cancelled(costExceeded);
  return result;
}
