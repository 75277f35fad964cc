import { toText } from '../value/convert.ts';
import { isBox, CelError, doubleOf, isInt, isList, isMap } from '../value/value.ts';
import type { MapValue, Result, Value } from '../value/value.ts';
import { mapEntries } from '../value/map-key.ts';
import { runtimeTypeName } from '../value/runtime-type.ts';
import { readFormat, tooFewArguments, wrongArgument } from './format-verbs.ts';
import { quote } from './quote.ts';

/** `'%s has %d'.format([…])`. Follows cel-go ext/formatting.go. */
export function formatString(format: string, args: readonly Value[]): Result {
  const pieces = readFormat(format);
  let used = 0;
  let text = '';
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      text += piece;
      continue;
    }
    const arg = args[used];
    const isFault = 'error' in piece;
    if (isFault && !piece.asksArgument) return new CelError(piece.error);
    if (arg === undefined) return new CelError(tooFewArguments(used));
    if (isFault) return new CelError(piece.error);
    const made = formatted(piece.verb, arg, piece.precision);
    if (made instanceof CelError) return new CelError(`error during formatting: ${made.message}`);
    text += made;
    used += 1;
  }
  return text;
}

const refused = (verb: string, value: Value): CelError => new CelError(wrongArgument(verb, runtimeTypeName(value)));

const formatted = (verb: string, value: Value, precision: number): string | CelError =>
  verbs[verb]?.(value, precision) ?? refused(verb, value);

/** undefined where the value has the wrong type. */
const verbs: Readonly<Record<string, (value: Value, precision: number) => string | CelError | undefined>> = {
  s: plainText,
  d: (value) => inBase(value, 10),
  f: (value, precision) => numeric(value, (number) => grouped(number.toFixed(precision))),
  e: (value, precision) => numeric(value, (number) => scientific(number, precision)),
  b: (value) => (typeof value === 'boolean' ? String(Number(value)) : inBase(value, 2)),
  o: (value) => inBase(value, 8),
  x: hex,
  X: (value) => hex(value)?.toUpperCase(),
};

function inBase(value: Value, base: number): string | undefined {
  if (isInt(value)) return value.toString(base);
  return isBox(value, 'uint') ? value.value.toString(base) : undefined;
}

/** A double, or a string that names one that cannot be written. */
function numeric(value: Value, text: (number: number) => string): string | undefined {
  const named = value === 'NaN' || value === 'Infinity' || value === '-Infinity' ? Number(value) : undefined;
  const number = doubleOf(value) ?? named;
  if (number === undefined || Number.isFinite(number)) return number === undefined ? undefined : text(number);
  if (Number.isNaN(number)) return 'NaN';
  return number > 0 ? '∞' : '-∞';
}

function hex(value: Value): string | undefined {
  if (typeof value === 'string') return hexOfBytes(new TextEncoder().encode(value));
  return value instanceof Uint8Array ? hexOfBytes(value) : inBase(value, 16);
}

const hexOfBytes = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** `1,234.5`: Go's English number printer. */
const grouped = (text: string): string => text.replace(/\d+/, (whole) => whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ','));

/** `1.200000×10⁰³`: of the form of that printer too, in which the precision is the least width. */
function scientific(number: number, width: number): string {
  const [mantissa = '', exponent = '0'] = number.toExponential(6).split('e');
  const sign = exponent.startsWith('-') ? '⁻' : '';
  const digits = exponent.replace(/^[-+]/, '').padStart(2, '0');
  const raised = digits.replaceAll(/\d/g, (digit) => superscripts[Number(digit)] ?? '');
  return `${mantissa}×10${sign}${raised}`.padStart(width);
}

const plainKinds = 'list map int uint double bool string bytes type google.protobuf.Timestamp google.protobuf.Duration';
const isPlain: ReadonlySet<string> = new Set(plainKinds.split(' '));

function plainText(value: Value): string | CelError {
  if (value === null) return 'null';
  if (isList(value)) return joined(value.map(nestedText), (texts) => `[${texts.join(', ')}]`);
  if (isMap(value)) return mapText(value);
  if (!isPlain.has(runtimeTypeName(value))) return refused('s', value);
  if (isBox(value, 'type')) return value.value;
  const text = toText(value);
  if (typeof text === 'string') return text;
  return new CelError(`could not convert argument ${quote(text instanceof CelError ? text.message : '')} to string`);
}

/** Inside a list or a map strings are quoted, and doubles have six decimals. */
function nestedText(value: Value): string | CelError {
  if (value !== null && !isPlain.has(runtimeTypeName(value))) {
    return new CelError(`no formatting function for ${runtimeTypeName(value)}`);
  }
  if (typeof value === 'string') return quote(value);
  const number = doubleOf(value);
  if (number !== undefined) return Number.isFinite(number) ? number.toFixed(6) : `"${goInfinity(number)}"`;
  const text = plainText(value);
  if (text instanceof CelError) return text;
  if (isBox(value, 'timestamp')) return `timestamp("${text}")`;
  if (isBox(value, 'duration')) return `duration("${text}")`;
  return value instanceof Uint8Array ? `b${quote(text)}` : text;
}

const goInfinity = (number: number): string => (Number.isNaN(number) ? 'NaN' : number > 0 ? '+Inf' : '-Inf');

const keyKinds: ReadonlySet<string> = new Set(['string', 'bool', 'int', 'uint']);

function mapText(map: MapValue): string | CelError {
  const entries = mapEntries(map).map(([key, value]) =>
    joined([keyText(key), nestedText(value)], (texts) => texts.join(':')),
  );
  return joined(entries, (texts) => `{${texts.toSorted(byText).join(', ')}}`);
}

const keyText = (key: Value): string | CelError =>
  keyKinds.has(runtimeTypeName(key))
    ? nestedText(key)
    : new CelError(`no formatting function for map key of type ${runtimeTypeName(key)}`);

const byText = (a: string, b: string): number => (a < b ? -1 : 1);

/** The texts put together, or the first failure among them. */
function joined(parts: readonly (string | CelError)[], join: (texts: readonly string[]) => string): string | CelError {
  const texts: string[] = [];
  for (const part of parts) {
    if (part instanceof CelError) return part;
    texts.push(part);
  }
  return join(texts);
}
