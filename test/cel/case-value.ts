import type { JsonValue } from '../../src/machinery/json/json.ts';

/** The value with the fields of every object in alphabetical order, and 64-bit integers as text: the form of cel-cases.json. */
export function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]): [string, JsonValue] => [key, sorted(inner ?? null)]);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
