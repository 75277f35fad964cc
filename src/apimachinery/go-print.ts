import { isList, JsonNumber } from './json.ts';
import type { JsonDocument } from './json.ts';
import { goNumber } from './json-reader.ts';

/** A decoded document as Go's `%v` prints it: `map[a:1 b:[x <nil>]]`, keys sorted. Follows go src/fmt/print.go. */
export function goPrint(value: JsonDocument | undefined): string {
  if (value === null || value === undefined) return '<nil>';
  if (value instanceof JsonNumber) return printNumber(goNumber(value.text));
  if (typeof value === 'number') return printNumber(value);
  if (typeof value !== 'object') return String(value);
  if (isList(value)) return `[${value.map(goPrint).join(' ')}]`;
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `map[${fields.map(([field, member]) => `${field}:${goPrint(member)}`).join(' ')}]`;
}

/** Go's name of the type a document was decoded to: `map[string]interface {}`, `int64`; undefined for null. */
export function goTypeOf(value: JsonDocument): string | undefined {
  if (value === null) return undefined;
  if (value instanceof JsonNumber) return /^-?\d+$/.test(value.text) ? 'int64' : 'float64';
  if (isList(value)) return '[]interface {}';
  if (typeof value === 'object') return 'map[string]interface {}';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  return typeof value === 'bigint' || Number.isInteger(value) ? 'int64' : 'float64';
}

/** What cannot be an int64 is a float64. */
const printNumber = (value: number | bigint): string => (isInt64(value) ? String(value) : printFloat(Number(value)));

/** Would Go's decoder have taken the number for an integer? Told by its size, as 1e3 and 1000 are the same here. */
export const isInt64 = (value: number | bigint): boolean =>
  typeof value === 'bigint' || (Number.isInteger(value) && Math.abs(value) < 2 ** 63);

/** A float64 as `%v` prints it: Go takes to exponents sooner than JavaScript, and gives them two digits. */
export function printFloat(value: number): string {
  const size = Math.abs(value);
  if (size === 0 || (size >= 1e-4 && size < 1e6)) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}
