import { goJsonKind } from '../../machinery/go/go-print.ts';
import { mapFields } from '../../machinery/meta/object.ts';
import { encodeBytes } from '../../machinery/go/base64-bytes.ts';
import { markRaw } from '../../machinery/json/json-equal.ts';
import {
  isList,
  JsonNumber,
  type JsonDocument,
  type JsonObject,
  type JsonValue,
  type DocumentObject,
} from '../../machinery/json/json.ts';
import { parseQuantity, quantityText, roundUpQuantity } from '../../machinery/meta/quantity.ts';
import {
  isZeroMoment,
  microMomentText,
  momentText,
  parseMicroTime,
  parseTime,
  type TimeReading,
} from '../../machinery/meta/time.ts';
import type { Scalar } from '../types/type-info.ts';

export type ScalarReading =
  | { readonly value: JsonValue }
  /** The type named in Go's error, by default the scalar's own. */
  | { readonly mismatch: JsonMismatch }
  /** `final` errors end Go's decoding at once; of the others the first counts. */
  | { readonly error: string; readonly final: boolean };

interface JsonMismatch {
  /** `string`, `number 80.5`, `object`. */
  readonly what: string;
  readonly as?: string;
  readonly final?: boolean;
}

export type ScalarReader = (value: JsonDocument) => ScalarReading;

/** Follows sigs.k8s.io/json and the UnmarshalJSON methods of apimachinery. */
export const scalarReaders: Readonly<Record<Scalar, ScalarReader>> = {
  string: (value) => (typeof value === 'string' ? { value } : createMismatch(value)),
  bool: (value) => (typeof value === 'boolean' ? { value } : createMismatch(value)),
  int32: (value) => readInteger(value, 31n),
  int64: (value) => readInteger(value, 63n),
  float64: readFloat,
  bytes: readBytes,
  quantity: readQuantity,
  intstr: readIntOrString,
  time: (value) => readTime(value, parseTime, momentText),
  microtime: (value) => readTime(value, parseMicroTime, microMomentText),
  duration: (value) => (typeof value === 'string' ? { value } : createMismatch(value, 'string')),
  raw: (value) => ({ value: markRaw(toPlainJson(value)) }),
  fieldsv1: (value) => ({ value: toPlainJson(value) }),
  json: (value) => ({ value: toPlainJson(value) }),
  any: (value) => ({ value: toPlainJson(value) }),
};

/** As Go's encoder prints them. */
export const scalarZeros: Readonly<Record<Scalar, JsonValue>> = {
  string: '',
  bool: false,
  int32: 0,
  int64: 0,
  float64: 0,
  bytes: null,
  quantity: '0',
  intstr: 0,
  time: null,
  microtime: null,
  duration: '0s',
  raw: null,
  fieldsv1: null,
  json: null,
  any: null,
};

/** Whether `omitempty` omits it; structs, such as most Kubernetes scalars, are never empty. */
export function isEmptyScalar(scalar: Scalar, value: JsonValue): boolean {
  if (scalar === 'string' || scalar === 'bytes') return value === '' || value === null;
  if (scalar === 'int32' || scalar === 'int64' || scalar === 'float64') return value === 0;
  return scalar === 'bool' ? value === false : scalar === 'any' && value === null;
}

/** Rounded up to milli precision. Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_ResourceList. */
export function readListedQuantity(value: JsonDocument): ScalarReading {
  const reading = parseQuantity(toQuantityText(value));
  if (reading.outcome === 'malformed') return { error: reading.error, final: true };
  return { value: quantityText(roundUpQuantity(reading.quantity, -3)) };
}

/** Protects the stack of later recursion. */
const maxDepth = 1000;

/** For untyped parts: numbers as JavaScript numbers. */
function toPlainJson(value: JsonDocument, depth = 0): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof JsonNumber) return Number(value.text);
  if (depth > maxDepth) throw new RangeError('nested too deeply');
  if (!isList(value)) return toPlainObject(value, depth + 1);
  return value.map((item) => toPlainJson(item, depth + 1));
}

function toPlainObject(value: DocumentObject, depth: number): JsonObject {
  return mapFields(Object.keys(value), (key) => {
    const item = value[key];
    return item === undefined ? undefined : toPlainJson(item, depth);
  });
}

const createMismatch = (value: JsonDocument, as?: string): ScalarReading => ({
  mismatch: { what: goJsonKind(value), ...(as === undefined ? {} : { as, final: true }) },
});

const isNumber = (value: JsonDocument): value is number | bigint | JsonNumber =>
  typeof value === 'number' || typeof value === 'bigint' || value instanceof JsonNumber;

const formatNumber = (value: number | bigint | JsonNumber): string =>
  value instanceof JsonNumber ? value.text : String(value);

function readInteger(value: JsonDocument, bits: 31n | 63n): ScalarReading {
  if (typeof value === 'number' && value >= -0x80000000 && value <= 0x7fffffff && Number.isInteger(value)) {
    return { value };
  }
  if (!isNumber(value)) return createMismatch(value);
  const text = formatNumber(value);
  const integer = /^-?\d{1,20}$/.test(text) ? BigInt(text) : undefined;
  const limit = 1n << bits;
  if (integer === undefined || integer < -limit || integer >= limit) return { mismatch: { what: `number ${text}` } };
  const number = Number(integer);
  return { value: Number.isSafeInteger(number) ? number : integer };
}

function readFloat(value: JsonDocument): ScalarReading {
  if (!isNumber(value)) return createMismatch(value);
  const number = Number(formatNumber(value));
  return Number.isFinite(number) ? { value: number } : { mismatch: { what: `number ${formatNumber(value)}` } };
}

function readBytes(value: JsonDocument): ScalarReading {
  if (isList(value)) return readByteList(value);
  if (typeof value !== 'string') return createMismatch(value);
  const reading = readBase64(value);
  if (reading.outcome === 'read') return { value: reading.text };
  return { error: `illegal base64 data at input byte ${reading.offset}`, final: false };
}

/** Go decodes a list of numbers as bytes. Follows encoding/json decode.go. */
function readByteList(list: readonly JsonDocument[]): ScalarReading {
  const bytes = new Uint8Array(list.length);
  for (const [at, item] of list.entries()) {
    if (item === null) continue;
    if (typeof item !== 'number' || item !== (item & 0xff)) {
      const what = isNumber(item) ? `number ${formatNumber(item)}` : goJsonKind(item);
      return { mismatch: { what, as: 'uint8' } };
    }
    bytes[at] = item;
  }
  return { value: encodeBytes(bytes) };
}

function readQuantity(value: JsonDocument): ScalarReading {
  const reading = parseQuantity(toQuantityText(value));
  if (reading.outcome === 'malformed') return { error: reading.error, final: true };
  return { value: quantityText(reading.quantity) };
}

function toQuantityText(value: JsonDocument): string {
  if (typeof value === 'string') return value.trim();
  return isNumber(value) ? formatNumber(value) : goJsonKind(value);
}

function readIntOrString(value: JsonDocument): ScalarReading {
  if (typeof value === 'string') return { value };
  const reading = readInteger(value, 31n);
  return 'mismatch' in reading ? { mismatch: { ...reading.mismatch, as: 'int32', final: true } } : reading;
}

function readTime(
  value: JsonDocument,
  parse: (text: string) => TimeReading,
  print: (moment: { readonly seconds: number; readonly nanos: number }) => string,
): ScalarReading {
  if (typeof value !== 'string') return createMismatch(value, 'string');
  const reading = parse(value);
  if (reading.outcome === 'malformed') return { error: reading.error, final: true };
  return { value: isZeroMoment(reading.moment) ? null : print(reading.moment) };
}

export type Base64Reading =
  /** As Go prints the bytes: no line breaks, unused bits zero. */
  | { readonly outcome: 'read'; readonly text: string }
  /** The offset in Go's CorruptInputError. */
  | { readonly outcome: 'corrupt'; readonly offset: number };

/** Follows go src/encoding/base64/base64.go. */
export function readBase64(text: string): Base64Reading {
  const offset = findCorruption(text);
  if (offset !== undefined) return { outcome: 'corrupt', offset };
  const compact = text.replaceAll(/[\r\n]/g, '');
  if (!compact.endsWith('=')) return { outcome: 'read', text: compact };
  return { outcome: 'read', text: compact.slice(0, -4) + btoa(atob(compact.slice(-4))) };
}

/** Regular expressions are fifty times faster here than a loop over characters. */
function findCorruption(text: string): number | undefined {
  if (text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  const invalidAt = text.search(/[^A-Za-z0-9+/\r\n]/);
  const end = invalidAt < 0 ? text.length : invalidAt;
  const inQuantum = (end - countBreaks(text, end)) % 4;
  if (invalidAt < 0) return inQuantum === 0 ? undefined : text.length - inQuantum;
  if (text[invalidAt] !== '=' || inQuantum < 2) return invalidAt;
  return findPaddingFault(text, invalidAt, inQuantum);
}

function countBreaks(text: string, end: number): number {
  let breaks = 0;
  const first = text.search(/[\r\n]/);
  if (first >= 0) for (let at = first; at < end; at += 1) if (isBreak(text.charAt(at))) breaks += 1;
  return breaks;
}

function findPaddingFault(text: string, at: number, inQuantum: number): number | undefined {
  let next = skipBreaks(text, at + 1);
  if (inQuantum === 2) {
    if (next === text.length) return text.length;
    if (text[next] !== '=') return next - 1;
    next = skipBreaks(text, next + 1);
  }
  return next < text.length ? next : undefined;
}

function skipBreaks(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBreak(text.charAt(at))) at += 1;
  return at;
}

const isBreak = (char: string): boolean => char === '\n' || char === '\r';
