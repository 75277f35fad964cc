import { goFloat, readGoBool } from '../../machinery/go/strconv.ts';
import {
  createDuration,
  goDurationText,
  readDuration,
  readTimestamp,
  createTimestamp,
  secondInNanoseconds,
  timestampText,
  unixSeconds,
} from './time.ts';
import { runtimeTypeName } from './runtime-type.ts';
import {
  type AnyBox,
  Box,
  box,
  CelError,
  double,
  unboxDouble,
  int,
  integerOverflow,
  isInt,
  noSuchOverload,
  type CelResult,
  uint,
  unsignedOverflow,
  type Value,
} from './value.ts';

const conversionError = (from: string, to: string): CelError =>
  new CelError(`type conversion error from '${from}' to '${to}'`);

/** `int(x)`. The conversions follow cel-go common/types. */
export function toInt(value: Value): CelResult {
  if (isInt(value)) return value;
  if (typeof value === 'string') {
    return /^[-+]?[0-9]+$/.test(value) ? parseInt64Text(value) : conversionError('string', 'int');
  }
  const number = unboxDouble(value);
  if (number !== undefined) return doubleToInt(number);
  return value instanceof Box ? boxToInt(value) : noSuchOverload;
}

/** A number with more digits exceeds 64 bits; parsing millions of digits takes long. */
const maxDigits = 1000;

function parseInt64Text(text: string): CelResult {
  if (text.length > maxDigits) return conversionError('string', 'int');
  const value = int(BigInt(text.replace('+', '')));
  return value instanceof CelError ? conversionError('string', 'int') : value;
}

function doubleToInt(value: number): CelResult {
  if (Number.isNaN(value) || value <= -(2 ** 63) || value >= 2 ** 63) return integerOverflow;
  return int(BigInt(Math.trunc(value)));
}

function boxToInt(value: AnyBox): CelResult {
  if (value.kind === 'uint' || value.kind === 'duration') return int(value.value);
  if (value.kind !== 'timestamp') return noSuchOverload;
  return int(unixSeconds(value.value));
}

/** `uint(x)`. */
export function toUint(value: Value): CelResult {
  if (isInt(value)) return uint(BigInt(value));
  if (typeof value === 'string') {
    const parsed = value.length <= maxDigits && /^[0-9]+$/.test(value) ? uint(BigInt(value)) : unsignedOverflow;
    return parsed instanceof CelError ? conversionError('string', 'uint') : parsed;
  }
  const number = unboxDouble(value);
  if (number === undefined) return value instanceof Box && value.kind === 'uint' ? value : noSuchOverload;
  if (Number.isNaN(number) || number < 0 || number >= 2 ** 64) return unsignedOverflow;
  return uint(BigInt(Math.trunc(number)));
}

/** `double(x)`. */
export function toDouble(value: Value): CelResult {
  if (isInt(value)) return double(Number(value));
  if (typeof value === 'string') return parseDoubleText(value);
  if (value instanceof Box && value.kind === 'uint') return double(Number(value.value));
  return unboxDouble(value) === undefined ? noSuchOverload : value;
}

const decimal = /^[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$/;

function parseDoubleText(text: string): CelResult {
  if (decimal.test(text)) {
    const value = Number(text);
    return Number.isFinite(value) ? double(value) : conversionError('string', 'double');
  }
  const word = /^([-+]?)(inf|infinity|nan)$/i.exec(text);
  if (word === null) return conversionError('string', 'double');
  if (word[2]?.toLowerCase() === 'nan') return double(Number.NaN);
  return double(word[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY);
}

/** `bool(x)`. */
export function toBool(value: Value): CelResult {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return noSuchOverload;
  return readGoBool(value) ?? conversionError('string', 'bool');
}

/** `bytes(x)`. */
export function toBytes(value: Value): CelResult {
  if (typeof value === 'string') return new TextEncoder().encode(value);
  return value instanceof Uint8Array ? value : noSuchOverload;
}

/** `string(x)`. */
export function toText(value: Value): CelResult {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || isInt(value)) return String(value);
  if (value instanceof Uint8Array) return bytesToText(value);
  const number = unboxDouble(value);
  if (number !== undefined) return goFloat(number);
  return value instanceof Box ? boxToText(value) : noSuchOverload;
}

function bytesToText(bytes: Uint8Array): CelResult {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return new CelError('invalid UTF-8 in bytes, cannot convert to string');
  }
}

function boxToText(value: AnyBox): CelResult {
  if (value.kind === 'uint') return String(value.value);
  if (value.kind === 'timestamp') return timestampText(value.value);
  if (value.kind === 'duration') return goDurationText(value.value);
  return value.kind === 'ip' || value.kind === 'cidr' ? value.value.text : noSuchOverload;
}

/** `timestamp(x)`. */
export function toTimestamp(value: Value): CelResult {
  if (isInt(value)) return createTimestamp(BigInt(value) * secondInNanoseconds);
  if (typeof value === 'string') {
    const read = readTimestamp(value);
    return read === undefined ? conversionError('string', 'google.protobuf.Timestamp') : createTimestamp(read);
  }
  return value instanceof Box && value.kind === 'timestamp' ? value : noSuchOverload;
}

/** `duration(x)`; the overload for an int is declared, but not implemented. */
export function toDuration(value: Value): CelResult {
  if (isInt(value)) return conversionError('int', 'google.protobuf.Duration');
  if (typeof value === 'string') {
    const read = readDuration(value);
    return read === undefined ? conversionError('string', 'google.protobuf.Duration') : createDuration(read);
  }
  return value instanceof Box && value.kind === 'duration' ? value : noSuchOverload;
}

/** `type(x)`. */
export const toType = (value: Value): CelResult => box('type', runtimeTypeName(value));

/** A key as text; the name of its type where it has none. */
export function mapKeyText(key: Value): string {
  const text = toText(key);
  return typeof text === 'string' ? text : runtimeTypeName(key);
}
