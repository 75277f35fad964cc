import type { JsonValue } from '../../src/apimachinery/json.ts';
import { toText } from '../../src/cel/convert.ts';
import { mapEntries } from '../../src/cel/map-key.ts';
import { Box, CelError, isList, isMap } from '../../src/cel/value.ts';
import type { Value } from '../../src/cel/value.ts';

/** A value in the form of cel-cases.json. */
export function presentable(value: Value): JsonValue {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : Number.isNaN(value) ? 'NaN' : infinity(value);
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (isList(value)) return value.map(presentable);
  if (isMap(value)) {
    return Object.fromEntries(mapEntries(value).map(([key, inner]) => [keyText(key), presentable(inner)]));
  }
  return value instanceof Box ? presentableBox(value) : null;
}

const keyText = (key: Value): string => {
  const text = toText(key);
  return text instanceof CelError ? '' : presentableText(text);
};

const presentableText = (text: Value): string => (typeof text === 'string' ? text : '');

const infinity = (value: number): string => (value > 0 ? 'Infinity' : '-Infinity');

function presentableBox(value: Extract<Value, Box>): JsonValue {
  if (value.kind === 'double') return value.value;
  if (value.kind === 'uint') return Number(value.value);
  if (value.kind === 'type') return value.value;
  if (value.kind === 'struct') {
    return Object.fromEntries([...value.value.fields].map(([key, inner]) => [key, presentable(inner)]));
  }
  if (value.kind === 'optional') return { optional: value.value === undefined ? 'none' : presentable(value.value) };
  const text = toText(value);
  return text instanceof CelError ? value.kind : presentable(text);
}

/** The value with the fields of every object in alphabetical order. */
export function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]): [string, JsonValue] => [key, sorted(inner ?? null)]);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
