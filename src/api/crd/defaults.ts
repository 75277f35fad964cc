import { mapFields } from '../../machinery/meta/map-fields.ts';
import { isJsonObject } from '../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';
import { createFilling } from './filling.ts';
import type { Filling } from './filling.ts';
import { mapList, mapObject } from './prune.ts';
import { additionalSchema, fieldSchema } from './structural.ts';
import type { Structural } from './structural.ts';

/**
 * The value with the schema's defaults for what is missing, or null where no null may be. Nothing is made for a parent
 * that is absent. Follows apiextensions-apiserver pkg/apiserver/schema/defaulting/algorithm.go.
 */
export const withDefaults = (value: JsonValue, schema: Structural | undefined): JsonValue =>
  filled(value, schema, createFilling());

function filled(value: JsonValue, schema: Structural | undefined, filling: Filling): JsonValue {
  if (schema === undefined || !schema.holds.defaults || typeof value !== 'object' || value === null) return value;
  if (isJsonObject(value)) return objectWithDefaults(value, schema, filling);
  return mapList(value, (item) => filled(nullReplaced(item, schema.items, filling), schema.items, filling));
}

function objectWithDefaults(value: JsonObject, schema: Structural, filling: Filling): JsonObject {
  const missing = missingIn(value, schema, filling);
  const whole = missing.size === 0 ? value : withMissing(value, missing);
  return mapObject(whole, (inner, field) => {
    const property = schema.properties.get(field);
    if (property !== undefined) return filled(inner, property, filling);
    const others = additionalSchema(schema);
    return filled(nullReplaced(inner, others, filling), others, filling);
  });
}

/** Properties that have a default and are missing, or null where no null may be, and those defaults. */
function missingIn(value: JsonObject, schema: Structural, filling: Filling): ReadonlyMap<string, JsonValue> {
  const missing = new Map<string, JsonValue>();
  for (const { name, schema: property } of schema.defaulted()) {
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    if (property.fallback === undefined || (given !== undefined && (given !== null || property.nullable))) continue;
    filling.take(property.json);
    missing.set(name, property.fallback);
  }
  return missing;
}

/** Keys stay in order. */
function withMissing(value: JsonObject, missing: ReadonlyMap<string, JsonValue>): JsonObject {
  const added = [...missing.keys()].filter((name) => !Object.hasOwn(value, name));
  const names = [...Object.keys(value), ...added].sort();
  return mapFields(names, (name) => (missing.has(name) ? missing.get(name) : value[name]));
}

function nullReplaced(value: JsonValue, schema: Structural | undefined, filling: Filling): JsonValue {
  if (value !== null || schema === undefined || schema.nullable || schema.fallback === undefined) return value;
  filling.take(schema.json);
  return schema.fallback;
}

/**
 * The value without the nulls that no schema allows and no default replaces; items of lists stay.
 * Follows apiextensions-apiserver pkg/apiserver/schema/defaulting/prunenulls.go.
 */
export function withoutNulls(value: JsonValue, schema: Structural | undefined): JsonValue {
  if (schema === undefined || typeof value !== 'object' || value === null) return value;
  if (!isJsonObject(value)) return mapList(value, (item) => withoutNulls(item, schema.items));
  return mapObject(value, (inner, field) => {
    const found = fieldSchema(schema, field);
    if (inner === null && found !== undefined && !found.nullable && found.fallback === undefined) return undefined;
    return withoutNulls(inner, found);
  });
}
