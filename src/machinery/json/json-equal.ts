import { writeJson } from './json-writer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';

/**
 * Do both have the same data? The order of fields matters only in raw JSON, which is bytes to Go. An undefined field counts
 * as absent.
 */
export function sameJson(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (eitherIsRaw(a, b)) return sameBytes(a, b);
  if (Array.isArray(a)) return Array.isArray(b) && sameList(a, b);
  return isJsonObject(a) && isJsonObject(b) && sameObject(a, b);
}

export const sameBytes = (a: JsonValue | undefined, b: JsonValue | undefined): boolean =>
  writeJson(a ?? null) === writeJson(b ?? null);

const sameList = (a: readonly JsonValue[], b: readonly JsonValue[]): boolean =>
  a.length === b.length && a.every((item, index) => sameJson(item, b[index]));

function sameObject(a: JsonObject, b: JsonObject): boolean {
  const fields = definedFields(a);
  return (
    fields.length === definedFields(b).length &&
    fields.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
  );
}

/** Do both have the same data, ignoring one field? */
export function equalExceptField(field: string, a: JsonObject, b: JsonObject): boolean {
  const countOf = (object: JsonObject): number => definedFields(object).length - (object[field] === undefined ? 0 : 1);
  return (
    countOf(a) === countOf(b) &&
    definedFields(a).every((key) => key === field || (Object.hasOwn(b, key) && sameJson(a[key], b[key])))
  );
}

export const definedFields = (object: JsonObject): readonly string[] =>
  Object.keys(object).filter((field) => object[field] !== undefined);

/** The marked values: no field of the JSON may carry the mark. */
const rawValues = new WeakSet<object>();

/** Marks a new value as bytes that Go does not decode (RawExtension): the order of its keys matters in comparisons. */
export function markRaw(value: JsonValue): JsonValue {
  if (typeof value === 'object' && value !== null) rawValues.add(value);
  return value;
}

export const eitherIsRaw = (a: JsonValue | undefined, b: JsonValue | undefined): boolean => isRaw(a) || isRaw(b);

const isRaw = (value: JsonValue | undefined): boolean =>
  typeof value === 'object' && value !== null && rawValues.has(value);
