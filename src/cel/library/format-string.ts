import { toText } from '../value/convert.ts';
import { isBox, CelError, doubleOf, isInt, isList, isMap } from '../value/value.ts';
import type { Result, Value } from '../value/value.ts';
import { mapEntries } from '../value/map-key.ts';
import { runtimeTypeName } from '../value/runtime-type.ts';
import { readFormat, tooFewArguments, tooManyArguments, wrongArgument } from './format-verbs.ts';
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
    if (made === undefined) {
      return new CelError(`error during formatting: ${wrongArgument(piece.verb, runtimeTypeName(arg))}`);
    }
    text += made;
    used += 1;
  }
  return used < args.length ? new CelError(tooManyArguments(used, args.length)) : text;
}

function formatted(verb: string, value: Value, precision: number): string | undefined {
  switch (verb) {
    case 's':
      return plainText(value);
    case 'd':
      return inBase(value, 10) ?? special(value);
    case 'f':
      return numeric(value, (number) => number.toFixed(precision));
    case 'e':
      return numeric(value, (number) => scientific(number, precision));
    case 'b':
      return typeof value === 'boolean' ? String(Number(value)) : inBase(value, 2);
    case 'o':
      return inBase(value, 8);
    case 'x':
      return hex(value);
    default:
      return hex(value)?.toUpperCase();
  }
}

/** Go writes NaN and the infinities in the same way for every clause that takes numbers. */
function special(value: Value): string | undefined {
  const number = doubleOf(value);
  if (number === undefined || Number.isFinite(number)) return undefined;
  if (Number.isNaN(number)) return 'NaN';
  return number > 0 ? 'Infinity' : '-Infinity';
}

function inBase(value: Value, base: number): string | undefined {
  if (isInt(value)) return value.toString(base);
  return isBox(value, 'uint') ? value.value.toString(base) : undefined;
}

function numeric(value: Value, text: (number: number) => string): string | undefined {
  const number = doubleOf(value) ?? (isInt(value) ? Number(value) : undefined);
  const found = number ?? (isBox(value, 'uint') ? Number(value.value) : undefined);
  return found === undefined ? undefined : (special(value) ?? text(found));
}

function hex(value: Value): string | undefined {
  if (typeof value === 'string') return hexOfBytes(new TextEncoder().encode(value));
  return value instanceof Uint8Array ? hexOfBytes(value) : inBase(value, 16);
}

const hexOfBytes = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** `1.200000×10⁰³`: the form of Go's English number printer. */
function scientific(number: number, precision: number): string {
  const [mantissa = '', exponent = '0'] = number.toExponential(precision).split('e');
  const sign = exponent.startsWith('-') ? '⁻' : '';
  const digits = exponent.replace(/^[-+]/, '').padStart(2, '0');
  return `${mantissa}×10${sign}${digits.replaceAll(/\d/g, (digit) => superscripts[Number(digit)] ?? '')}`;
}

function plainText(value: Value): string | undefined {
  if (value === null) return 'null';
  if (isList(value) || isMap(value)) return nestedText(value);
  const exact = special(value);
  if (exact !== undefined) return exact;
  if (isBox(value, 'type')) return value.value;
  const text = toText(value);
  return typeof text === 'string' ? text : undefined;
}

/** Inside a list or a map strings are quoted, and doubles have six decimals. */
function nestedText(value: Value): string | undefined {
  if (isList(value)) return wrapped('[', value.map(nestedText), ', ', ']');
  if (isMap(value)) {
    const entries = mapEntries(value).map(([key, inner]): readonly [string | undefined, string | undefined] => [
      nestedText(key),
      nestedText(inner),
    ]);
    const texts = entries.map(([key, inner]) =>
      key === undefined || inner === undefined ? undefined : `${key}:${inner}`,
    );
    return wrapped('{', texts.toSorted(byText), ', ', '}');
  }
  if (typeof value === 'string') return quote(value);
  if (isBox(value, 'timestamp')) return `timestamp("${plainText(value)}")`;
  if (isBox(value, 'duration')) return `duration("${plainText(value)}")`;
  const number = doubleOf(value);
  if (number !== undefined) return special(value) ?? number.toFixed(6);
  return value instanceof Uint8Array ? `b"${plainText(value)}"` : plainText(value);
}

const byText = (a: string | undefined, b: string | undefined): number => ((a ?? '') < (b ?? '') ? -1 : 1);

// Four parts read better than an object of four.
function wrapped(
  open: string,
  parts: readonly (string | undefined)[],
  separator: string,
  close: string,
): string | undefined {
  return parts.includes(undefined) ? undefined : open + parts.join(separator) + close;
}
