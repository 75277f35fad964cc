import { compareBytes, compareNumbers, isNumeric } from './equality.ts';
import { CelError, isBox, noSuchOverload, type CelResult, type Value } from './value.ts';

/** -1, 0 or 1 for values that have an order, NaN next to NaN; undefined for others. */
export function compareValues(a: Value, b: Value): number | undefined {
  if (isNumeric(a)) return isNumeric(b) ? compareNumbers(a, b) : undefined;
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compareBytes(a, b);
  return compareMoments(a, b);
}

function compareMoments(a: Value, b: Value): number | undefined {
  if (isBox(a, 'timestamp') && isBox(b, 'timestamp')) return compareBigints(a.value, b.value);
  return isBox(a, 'duration') && isBox(b, 'duration') ? compareBigints(a.value, b.value) : undefined;
}

/** By code point: JavaScript's order by UTF-16 unit differs beyond the basic plane. */
export function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return orderOfUnits(left, right);
  }
  return Math.sign(a.length - b.length);
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;

/** A surrogate stands for a character beyond all others. */
function orderOfUnits(left: number, right: number): number {
  if (isSurrogate(left) === isSurrogate(right)) return Math.sign(left - right);
  return isSurrogate(left) ? 1 : -1;
}

export const compareBigints = (a: bigint, b: bigint): number => Number(a > b) - Number(a < b);

type Comparison = (a: CelResult, b: CelResult) => CelResult;

/** `<` and its like. */
const comparison =
  (holds: (order: number) => boolean): Comparison =>
  (a, b) => {
    if (a instanceof CelError) return a;
    if (b instanceof CelError) return b;
    const found = compareValues(a, b);
    return found === undefined ? noSuchOverload : holds(found);
  };

export const less = comparison((found) => found < 0);
export const lessEquals = comparison((found) => found <= 0);
export const greater = comparison((found) => found > 0);
export const greaterEquals = comparison((found) => found >= 0);
