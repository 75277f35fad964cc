import { byKey } from '../go/strings.ts';
import { type JsonDocument, JsonNumber, type JsonValue, isJsonObject, isList } from './json.ts';

/**
 * The value as compact JSON, with all digits of 64-bit integers and JsonNumbers. Leaves out undefined fields. Throws
 * for more than 512 MB.
 */
export function writeJson(value: JsonDocument | JsonValue): string {
  if (value instanceof JsonNumber) return value.text;
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError && error.message === 'Invalid string length') throw error;
    return writeIteratively(value); // A bigint, a JsonNumber, or nesting too deep for JSON.stringify.
  }
}

/**
 * The value as Go prints it by default: `<`, `>`, `&` and the two line separators escaped.
 * Follows go src/encoding/json/encode.go.
 */
export function writeJsonForGo(value: JsonDocument | JsonValue): string {
  return escapeForGo(writeJson(value));
}

/** JSON text with the escapes that Go adds by default; these characters occur only in strings. */
export const escapeForGo = (json: string): string =>
  characters.some((char) => json.includes(char)) ? json.replaceAll(escaped, (char) => escapes[char] ?? char) : json;

const escaped = /[<>&\u2028\u2029]/g;

/** A table: four times as fast as computing each for a text of three million. */
const escapes: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};
const characters = Object.keys(escapes);

/** What is still to be printed: a value, or text that is printed unchanged. */
type Pending = { readonly value: JsonDocument } | { readonly text: string };

/** Slower than JSON.stringify, but writes every kind of number, without recursion. */
function writeIteratively(value: JsonDocument): string {
  const parts: string[] = [];
  const pending: Pending[] = [{ value }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    if ('text' in next) parts.push(next.text);
    else if (typeof next.value !== 'object' || next.value === null)
      parts.push(typeof next.value === 'bigint' ? String(next.value) : JSON.stringify(next.value));
    else if (next.value instanceof JsonNumber) parts.push(next.value.text);
    else for (const part of containerParts(next.value).toReversed()) pending.push(part); // May be too many for arguments.
  }
  return parts.join('');
}

/** The brackets, separators and values of a container, in order. */
function containerParts(container: object): readonly Pending[] {
  if (Array.isArray(container)) {
    return [{ text: '[' }, ...container.flatMap((value, index) => memberParts(index, '', value)), { text: ']' }];
  }
  const fields = Object.entries(container).filter(([, value]) => value !== undefined);
  return [
    { text: '{' },
    ...fields.flatMap(([field, value], index) => memberParts(index, `${JSON.stringify(field)}:`, value)),
    { text: '}' },
  ];
}

const memberParts = (index: number, label: string, value: JsonDocument): readonly Pending[] => [
  { text: index === 0 ? label : `,${label}` },
  { value },
];

// Replacers for JSON.stringify, which throws at a bigint. writeJson (json-writer.ts) prints them exactly; these are for
// values that are inspected, not sent.

export const bigintAsText = (_field: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value;

export const bigintAsNumber = (_field: string, value: unknown): unknown =>
  typeof value === 'bigint' ? Number(value) : value;

/** Compact JSON with the fields of all objects in the order of their names, as Go writes maps. Leaves out undefined fields. */
export function sortedJson(value: JsonDocument | JsonValue): string {
  if (isList(value)) return `[${value.map(sortedJson).join(',')}]`;
  if (!isJsonObject(value)) return writeJson(value);
  const members = Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [[name, `${JSON.stringify(name)}:${sortedJson(member)}`] as const],
  );
  return `{${members
    .toSorted(byKey)
    .map(([, text]) => text)
    .join(',')}}`;
}
