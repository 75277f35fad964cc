import {
  CelError,
  type CelResult,
  double,
  unboxDouble,
  int,
  integerOverflow,
  isBox,
  isCelList,
  isInt,
  listKindOf,
  noSuchOverload,
  uint,
  type Value,
} from './value.ts';
import { Cancelled, costExceeded, maxElements } from '../run/frame.ts';
import { createDuration, createTimestamp } from './time.ts';

const divisionByZero = new CelError('division by zero');
const modulusByZero = new CelError('modulus by zero');

type Operation = (a: CelResult, b: CelResult) => CelResult;

/** How an operator treats each kind of number. */
interface Numbers {
  readonly ints: (a: bigint, b: bigint) => CelResult;
  readonly uints: (a: bigint, b: bigint) => CelResult;
  readonly doubles: ((a: number, b: number) => number) | undefined;
  readonly others: (a: Value, b: Value) => CelResult;
}

const createOperation =
  ({ ints, uints, doubles, others }: Numbers): Operation =>
  (a, b) => {
    if (a instanceof CelError) return a;
    if (b instanceof CelError) return b;
    if (isInt(a)) return isInt(b) ? ints(BigInt(a), BigInt(b)) : noSuchOverload;
    if (isBox(a, 'uint')) return isBox(b, 'uint') ? uints(a.value, b.value) : noSuchOverload;
    const left = unboxDouble(a);
    const right = unboxDouble(b);
    if (left === undefined || doubles === undefined) return others(a, b);
    return right === undefined ? noSuchOverload : double(doubles(left, right));
  };

const unsupported = (): CelResult => noSuchOverload;

export const add: Operation = createOperation({
  ints: (a, b) => int(a + b),
  uints: (a, b) => uint(a + b),
  doubles: (a, b) => a + b,
  others: addOthers,
});

export const subtract: Operation = createOperation({
  ints: (a, b) => int(a - b),
  uints: (a, b) => uint(a - b),
  doubles: (a, b) => a - b,
  others: subtractOthers,
});

export const multiply: Operation = createOperation({
  ints: (a, b) => int(a * b),
  uints: (a, b) => uint(a * b),
  doubles: (a, b) => a * b,
  others: unsupported,
});

/** Truncates towards zero. Follows cel-go common/types/overflow.go. */
export const divide: Operation = createOperation({
  ints: (a, b) => (b === 0n ? divisionByZero : int(a / b)),
  uints: (a, b) => (b === 0n ? divisionByZero : uint(a / b)),
  doubles: (a, b) => a / b,
  others: unsupported,
});

export const modulo: Operation = createOperation({
  ints: (a, b) => {
    if (b === 0n) return modulusByZero;
    return a === -(2n ** 63n) && b === -1n ? integerOverflow : int(a % b);
  },
  uints: (a, b) => (b === 0n ? modulusByZero : uint(a % b)),
  doubles: undefined,
  others: unsupported,
});

export function negate(a: CelResult): CelResult {
  if (a instanceof CelError) return a;
  if (isInt(a)) return int(-BigInt(a));
  if (typeof a === 'boolean') return !a;
  if (isBox(a, 'duration')) return createDuration(-a.value);
  const value = unboxDouble(a);
  return value === undefined ? noSuchOverload : double(-value);
}

/** Adding a list to itself costs little, and a few dozen repetitions fill any memory. */
function addLists(a: readonly Value[], b: readonly Value[]): CelResult {
  if (a.length + b.length > maxElements) throw new Cancelled(costExceeded);
  const kind = listKindOf(a);
  return kind === undefined ? a.concat(b) : (kind.operandError(b) ?? kind.add(b));
}

function addOthers(a: Value, b: Value): CelResult {
  if (typeof a === 'string') return typeof b === 'string' ? a + b : noSuchOverload;
  if (isCelList(a)) return isCelList(b) ? addLists(a, b) : noSuchOverload;
  if (a instanceof Uint8Array) return b instanceof Uint8Array ? joinBytes(a, b) : noSuchOverload;
  if (isBox(a, 'duration')) {
    if (isBox(b, 'duration')) return createDuration(a.value + b.value);
    return isBox(b, 'timestamp') ? createTimestamp(a.value + b.value) : noSuchOverload;
  }
  return isBox(a, 'timestamp') && isBox(b, 'duration') ? createTimestamp(a.value + b.value) : noSuchOverload;
}

function subtractOthers(a: Value, b: Value): CelResult {
  if (isBox(a, 'duration')) return isBox(b, 'duration') ? createDuration(a.value - b.value) : noSuchOverload;
  if (!isBox(a, 'timestamp')) return noSuchOverload;
  if (isBox(b, 'duration')) return createTimestamp(a.value - b.value);
  return isBox(b, 'timestamp') ? createDuration(a.value - b.value) : noSuchOverload;
}

function joinBytes(a: Uint8Array, b: Uint8Array): Uint8Array {
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}
