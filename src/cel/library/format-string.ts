import { Cancelled, costExceeded, maxResultLength } from '../run/frame.ts';
import { toText } from '../value/convert.ts';
import {
  CelError,
  unboxDouble,
  isBox,
  isInt,
  isCelList,
  isMap,
  type MapValue,
  type CelResult,
  type Value,
} from '../value/value.ts';
import { mapEntries } from '../value/map-key.ts';
import { runtimeTypeName } from '../value/runtime-type.ts';
import { type FormatPiece, nextPiece, quote, tooFewArguments, wrongArgument } from './format-verbs.ts';

/** `'%s has %d'.format([…])`. Follows cel-go ext/formatting.go. */
export function formatString(format: string, args: readonly Value[]): CelResult {
  const formatted: FormattedValues = new Map();
  const texts: string[] = [];
  let [from, used, length] = [0, 0, 0];
  for (;;) {
    const { before, piece, end } = nextPiece(format, from);
    const text = formatPiece(piece, args, used, formatted);
    if (text instanceof CelError) return text;
    length += before.length + text.length;
    if (length > maxResultLength) throw new Cancelled(costExceeded);
    texts.push(before + text);
    if (piece === undefined) return texts.join('');
    from = end;
    if (typeof piece === 'object') used += 1;
  }
}

function formatPiece(
  piece: FormatPiece | undefined,
  args: readonly Value[],
  used: number,
  formatted: FormattedValues,
): string | CelError {
  if (piece === undefined) return '';
  if (typeof piece === 'string') return piece;
  const arg = args[used];
  const isFault = 'error' in piece;
  if (isFault && !piece.takesArgument) return new CelError(piece.error);
  if (arg === undefined) return new CelError(tooFewArguments(used));
  if (isFault) return new CelError(piece.error);
  const made = formatArgument(piece.verb, arg, piece.precision, formatted);
  return made instanceof CelError ? new CelError(`error during formatting: ${made.message}`) : made;
}

/** The texts of lists and maps, cached: a list may contain the same one many times. */
type FormattedValues = Map<object, string | CelError>;

const argumentError = (verb: string, value: Value): CelError =>
  new CelError(wrongArgument(verb, runtimeTypeName(value)));

const formatArgument = (verb: string, value: Value, precision: number, formatted: FormattedValues): string | CelError =>
  (verb === 's' ? formatPlain(value, formatted) : verbs[verb]?.(value, precision)) ?? argumentError(verb, value);

/** undefined where the value has the wrong type. */
const verbs: Readonly<Record<string, (value: Value, precision: number) => string | CelError | undefined>> = {
  d: (value) => formatInteger(value, 10),
  f: (value, precision) => formatNumber(value, (number) => groupDigits(formatFixed(number, precision))),
  e: (value, precision) => formatNumber(value, (number) => formatScientific(number, precision)),
  b: (value) => (typeof value === 'boolean' ? String(Number(value)) : formatInteger(value, 2)),
  o: (value) => formatInteger(value, 8),
  x: formatHex,
  X: (value) => formatHex(value)?.toUpperCase(),
};

function formatInteger(value: Value, base: number): string | undefined {
  if (isInt(value)) return value.toString(base);
  return isBox(value, 'uint') ? value.value.toString(base) : undefined;
}

/** A double, or a string that names one that cannot be written. */
function formatNumber(value: Value, text: (number: number) => string): string | undefined {
  const named = value === 'NaN' || value === 'Infinity' || value === '-Infinity' ? Number(value) : undefined;
  const number = unboxDouble(value) ?? named;
  if (number === undefined || Number.isFinite(number)) return number === undefined ? undefined : text(number);
  if (Number.isNaN(number)) return 'NaN';
  return number > 0 ? '∞' : '-∞';
}

function formatHex(value: Value): string | undefined {
  if (typeof value === 'string') return hexOfBytes(new TextEncoder().encode(value));
  return value instanceof Uint8Array ? hexOfBytes(value) : formatInteger(value, 16);
}

const hexOfByte = Array.from({ length: 256 }, (_none, byte) => byte.toString(16).padStart(2, '0'));

const hexOfBytes = (bytes: Uint8Array): string => Array.from(bytes, (byte) => hexOfByte[byte] ?? '').join('');

/** JavaScript does not print more decimals. */
const maxDecimals = 100;

function formatFixed(number: number, precision: number): string {
  const text = number.toFixed(Math.min(precision, maxDecimals));
  return precision > maxDecimals ? text + '0'.repeat(boundLength(precision) - maxDecimals) : text;
}

function boundLength(length: number): number {
  if (length > maxResultLength) throw new Cancelled(costExceeded);
  return length;
}

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** `1,234.5`: Go's English number printer. */
const groupDigits = (text: string): string =>
  text.replace(/\d+/, (whole) => {
    const first = whole.length % 3 || 3;
    return [whole.slice(0, first), ...(whole.slice(first).match(/\d{3}/g) ?? [])].join(',');
  });

/** `1.200000×10⁰³`: of the form of that printer too, in which the precision is the least width. */
function formatScientific(number: number, width: number): string {
  const [mantissa = '', exponent = '0'] = number.toExponential(6).split('e');
  const sign = exponent.startsWith('-') ? '⁻' : '';
  const digits = exponent.replace(/^[-+]/, '').padStart(2, '0');
  const raised = digits.replaceAll(/\d/g, (digit) => superscripts[Number(digit)] ?? '');
  return `${mantissa}×10${sign}${raised}`.padStart(boundLength(width));
}

const plainKinds = 'list map int uint double bool string bytes type google.protobuf.Timestamp google.protobuf.Duration';
const isPlain: ReadonlySet<string> = new Set(plainKinds.split(' '));

function formatPlain(value: Value, formatted: FormattedValues): string | CelError {
  if (value === null) return 'null';
  if (isCelList(value) || isMap(value)) {
    const text =
      formatted.get(value) ?? (isCelList(value) ? formatList(value, formatted) : formatMap(value, formatted));
    formatted.set(value, text);
    if (typeof text === 'string' && text.length > maxResultLength) throw new Cancelled(costExceeded);
    return text;
  }
  if (!isPlain.has(runtimeTypeName(value))) return argumentError('s', value);
  if (isBox(value, 'type')) return value.value;
  const text = toText(value);
  if (typeof text === 'string') return text;
  return new CelError(`could not convert argument ${quote(text instanceof CelError ? text.message : '')} to string`);
}

/** Inside a list or a map strings are quoted, and doubles have six decimals. */
function formatNested(value: Value, formatted: FormattedValues): string | CelError {
  if (value !== null && !isPlain.has(runtimeTypeName(value))) {
    return new CelError(`no formatting function for ${runtimeTypeName(value)}`);
  }
  if (typeof value === 'string') return quote(value);
  const number = unboxDouble(value);
  if (number !== undefined) return Number.isFinite(number) ? number.toFixed(6) : `"${goInfinity(number)}"`;
  const text = formatPlain(value, formatted);
  if (text instanceof CelError) return text;
  if (isBox(value, 'timestamp')) return `timestamp("${text}")`;
  if (isBox(value, 'duration')) return `duration("${text}")`;
  return value instanceof Uint8Array ? `b${quote(text)}` : text;
}

const goInfinity = (number: number): string => (Number.isNaN(number) ? 'NaN' : number > 0 ? '+Inf' : '-Inf');

const keyKinds: ReadonlySet<string> = new Set(['string', 'bool', 'int', 'uint']);

function formatList(list: readonly Value[], formatted: FormattedValues): string | CelError {
  const texts: string[] = [];
  for (const element of list) {
    const text = formatNested(element, formatted);
    if (text instanceof CelError) return text;
    texts.push(text);
  }
  return `[${joinTexts(texts)}]`;
}

function formatMap(map: MapValue, formatted: FormattedValues): string | CelError {
  const texts: string[] = [];
  for (const [key, value] of mapEntries(map)) {
    const name = formatKey(key, formatted);
    if (name instanceof CelError) return name;
    const text = formatNested(value, formatted);
    if (text instanceof CelError) return text;
    texts.push(`${name}:${text}`);
  }
  return `{${joinTexts(texts.sort())}}`;
}

const fewTexts = 32;

/** Joining copies the texts, which takes long for deeply nested repetitions of long texts. */
const joinTexts = (texts: readonly string[]): string =>
  texts.length > fewTexts ? texts.join(', ') : texts.slice(1).reduce((all, text) => `${all}, ${text}`, texts[0] ?? '');

const formatKey = (key: Value, formatted: FormattedValues): string | CelError =>
  keyKinds.has(runtimeTypeName(key))
    ? formatNested(key, formatted)
    : new CelError(`no formatting function for map key of type ${runtimeTypeName(key)}`);
