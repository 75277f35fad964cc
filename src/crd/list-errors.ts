import { duplicate, invalidValue } from '../apimachinery/field-error.ts';
import type { FieldError } from '../apimachinery/field-error.ts';
import { isJsonObject, setOwn } from '../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../apimachinery/json.ts';
import { writeJson } from '../apimachinery/json-writer.ts';
import { childPath } from './embedded.ts';
import { additionalSchema } from './structural.ts';
import type { Structural } from './structural.ts';

/**
 * Items that are there twice in a set, or with the same key in a list that is a map.
 * Follows apiextensions-apiserver pkg/apiserver/schema/listtype/validation.go.
 */
export function listErrors(
  value: JsonValue | undefined,
  schema: Structural | undefined,
  path = '',
): readonly FieldError[] {
  if (schema === undefined || !schema.holds.keyedLists || typeof value !== 'object' || value === null) return [];
  if (isJsonObject(value)) return objectErrors(value, schema, path);
  const inside = value.flatMap((item, index) => listErrors(item, schema.items, `${path}[${index}]`));
  return [...ownErrors(value, schema, path), ...inside];
}

function objectErrors(value: JsonObject, schema: Structural, path: string): readonly FieldError[] {
  const others = additionalSchema(schema);
  return Object.keys(value).flatMap((field) => [
    ...(others === undefined ? [] : listErrors(value[field], others, `${path}[${field}]`)),
    ...listErrors(value[field], schema.properties.get(field), childPath(path, field)),
  ]);
}

function ownErrors(items: readonly JsonValue[], schema: Structural, path: string): readonly FieldError[] {
  if (schema.listType === 'set') {
    return repeated(items).map((index) => duplicate(`${path}[${index}]`, items[index] ?? null));
  }
  return schema.listType === 'map' ? mapErrors(items, schema.listMapKeys, path) : [];
}

function mapErrors(items: readonly JsonValue[], keys: readonly string[], path: string): readonly FieldError[] {
  const wrong = items.findIndex((item) => item !== null && !isJsonObject(item));
  if (wrong >= 0) {
    const detail = 'must be an object for an array of list-type map';
    return [invalidValue(`${path}[${wrong}]`, items[wrong] ?? null, detail)];
  }
  const found = items.map((item) => keyOf(item, keys));
  return repeated(found).map((index) => duplicate(`${path}[${index}]`, found[index] ?? {}));
}

/** The key fields that the item has. */
function keyOf(item: JsonValue, keys: readonly string[]): JsonObject {
  const key: JsonObject = {};
  if (!isJsonObject(item)) return key;
  for (const field of keys) if (Object.hasOwn(item, field)) setOwn(key, field, item[field]);
  return key;
}

/** Where a value stands for the second time; further ones are not told. */
function repeated(values: readonly JsonValue[]): readonly number[] {
  const times = new Map<string, number>();
  return values.flatMap((value, index) => {
    const text = writeJson(value);
    const seen = times.get(text) ?? 0;
    times.set(text, seen + 1);
    return seen === 1 ? [index] : [];
  });
}
