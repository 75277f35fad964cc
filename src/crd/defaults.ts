import { isJsonObject, setOwn } from '../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../apimachinery/json.ts';
import { mapList, mapObject } from './prune.ts';
import { readOnce } from './properties.ts';
import { additionalSchema, fieldSchema, readStructural } from './structural.ts';
import type { Structural } from './structural.ts';

/**
 * The value with the schema's defaults for what is missing, or null where no null may be. Nothing is made for a parent
 * that is absent. Follows apiextensions-apiserver pkg/apiserver/schema/defaulting/algorithm.go.
 */
export function withDefaults(value: JsonValue, schema: Structural | undefined): JsonValue {
  if (schema === undefined || !schema.holds.defaults || typeof value !== 'object' || value === null) return value;
  if (isJsonObject(value)) return objectWithDefaults(value, schema);
  return mapList(value, (item) => withDefaults(nullReplaced(item, schema.items), schema.items));
}

function objectWithDefaults(value: JsonObject, schema: Structural): JsonObject {
  const whole = withMissing(value, schema);
  return mapObject(whole, (inner, field) => {
    const property = schema.properties.get(field);
    if (property !== undefined) return withDefaults(inner, property);
    const others = additionalSchema(schema);
    return withDefaults(nullReplaced(inner, others), others);
  });
}

/** Properties that have a default and are missing, or null where no null may be. Keys stay in order. */
function withMissing(value: JsonObject, schema: Structural): JsonObject {
  let filled: JsonObject | undefined;
  for (const [name, { fallback, nullable }] of defaultedProperties(schema.json)) {
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    if (given === undefined || (given === null && !nullable)) filled = setOwn(filled ?? { ...value }, name, fallback);
  }
  return filled === undefined ? value : sortedFields(filled);
}

/** Those that have a default of their own. */
const defaultedProperties = readOnce((json): readonly (readonly [string, Structural])[] => {
  const { properties } = readStructural(json);
  return properties.names.flatMap((name) => {
    const property = properties.get(name);
    return property?.fallback === undefined ? [] : [[name, property] as const];
  });
});

const sortedFields = (value: JsonObject): JsonObject => {
  const copy: JsonObject = {};
  for (const field of Object.keys(value).toSorted()) setOwn(copy, field, value[field]);
  return copy;
};

const nullReplaced = (value: JsonValue, schema: Structural | undefined): JsonValue =>
  value === null && schema !== undefined && !schema.nullable ? (schema.fallback ?? null) : value;

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
