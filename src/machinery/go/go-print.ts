import { goNumber } from '../json/json-reader.ts';
import { type JsonDocument, JsonNumber, type JsonObject, type JsonValue, isJsonObject, isList } from '../json/json.ts';
import { isInt64, printNumber } from './go-number.ts';

/** A decoded document as Go's `%v` prints it: `map[a:1 b:[x <nil>]]`, keys sorted. Follows go src/fmt/print.go. */
export function goPrint(value: JsonDocument | undefined): string {
  if (value === null || value === undefined) return '<nil>';
  if (value instanceof JsonNumber) return printNumber(goNumber(value.text));
  if (typeof value === 'number') return printNumber(value);
  if (typeof value !== 'object') return String(value);
  if (isList(value)) return `[${value.map(goPrint).join(' ')}]`;
  const fields = Object.keys(value).sort();
  return `map[${fields.map((field) => `${field}:${goPrint(value[field])}`).join(' ')}]`;
}

/** Go's name of the type a document was decoded to: `map[string]interface {}`, `int64`; undefined for null. */
export function goTypeOf(value: JsonDocument): string | undefined {
  if (value === null) return undefined;
  if (value instanceof JsonNumber) {
    return /^-?\d+$/.test(value.text) && isInt64(goNumber(value.text)) ? 'int64' : 'float64';
  }
  if (isList(value)) return '[]interface {}';
  if (typeof value === 'object') return 'map[string]interface {}';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  return isInt64(value) ? 'int64' : 'float64';
}

/** What Go calls a JSON value in `cannot unmarshal …`. */
export function goJsonKind(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof JsonNumber ? 'number' : 'object';
}

/** A Go value without a JSON form, as `%T`, `%v` and `%#v` print it. */
export interface GoValue {
  readonly type: string;
  readonly plain: string;
  readonly syntax: string;
}

/** The Go value of each placeholder. */
const valuesByPlaceholder = new WeakMap<JsonObject, GoValue>();

/** An empty object that represents the value in a JSON tree. */
export function goValuePlaceholder(value: GoValue): JsonObject {
  const place: JsonObject = Object.freeze({});
  valuesByPlaceholder.set(place, value);
  return place;
}

/** The value that such an object represents. */
export const goValueAt = (value: JsonValue): GoValue | undefined =>
  isJsonObject(value) ? valuesByPlaceholder.get(value) : undefined;
