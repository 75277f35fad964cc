import { mapChanged, isJsonObject, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import { mapFields } from '../../machinery/meta/object.ts';
import { requestEntityTooLarge, ThrownStatus } from '../../machinery/meta/status.ts';
import { readOnce } from '../../machinery/once.ts';
import { additionalSchema, fieldSchema, type Structural } from './structural.ts';
import { mapObject } from './prune.ts';

/**
 * Adds missing defaults and replaces invalid nulls; absent parents stay absent. Follows apiextensions-apiserver
 * pkg/apiserver/schema/defaulting/algorithm.go.
 */
export const withDefaults = (value: JsonValue, schema: Structural | undefined): JsonValue =>
  addDefaults(value, schema, createDefaultingBudget());

function addDefaults(value: JsonValue, schema: Structural | undefined, filling: DefaultingBudget): JsonValue {
  if (schema === undefined || !schema.features.defaults || typeof value !== 'object' || value === null) return value;
  if (isJsonObject(value)) return addObjectDefaults(value, schema, filling);
  return mapChanged(value, (item) => addDefaults(replaceNull(item, schema.items, filling), schema.items, filling));
}

function addObjectDefaults(value: JsonObject, schema: Structural, filling: DefaultingBudget): JsonObject {
  const missing = collectMissing(value, schema, filling);
  const completed = missing.size === 0 ? value : mergeMissing(value, missing);
  return mapObject(completed, (inner, field) => {
    const property = schema.properties.get(field);
    if (property !== undefined) return addDefaults(inner, property, filling);
    const others = additionalSchema(schema);
    return addDefaults(replaceNull(inner, others, filling), others, filling);
  });
}

function collectMissing(
  value: JsonObject,
  schema: Structural,
  filling: DefaultingBudget,
): ReadonlyMap<string, JsonValue> {
  const missing = new Map<string, JsonValue>();
  for (const { name, schema: property } of schema.defaulted()) {
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    if (property.defaultValue === undefined || (given !== undefined && (given !== null || property.nullable))) continue;
    filling.take(property.json);
    missing.set(name, property.defaultValue);
  }
  return missing;
}

function mergeMissing(value: JsonObject, missing: ReadonlyMap<string, JsonValue>): JsonObject {
  const added = [...missing.keys()].filter((name) => !Object.hasOwn(value, name));
  const names = [...Object.keys(value), ...added].sort();
  return mapFields(names, (name) => (missing.has(name) ? missing.get(name) : value[name]));
}

function replaceNull(value: JsonValue, schema: Structural | undefined, filling: DefaultingBudget): JsonValue {
  if (value !== null || schema === undefined || schema.nullable || schema.defaultValue === undefined) return value;
  filling.take(schema.json);
  return schema.defaultValue;
}

/**
 * Removes nulls that neither the schema allows nor a default replaces; list items stay. Follows apiextensions-apiserver
 * pkg/apiserver/schema/defaulting/prunenulls.go.
 */
export function pruneNulls(value: JsonValue, schema: Structural | undefined): JsonValue {
  if (schema === undefined || typeof value !== 'object' || value === null) return value;
  if (!isJsonObject(value)) return mapChanged(value, (item) => pruneNulls(item, schema.items));
  return mapObject(value, (inner, field) => {
    const found = fieldSchema(schema, field);
    if (inner === null && found !== undefined && !found.nullable && found.defaultValue === undefined) return undefined;
    return pruneNulls(inner, found);
  });
}

interface DefaultingBudget {
  /** Throws ThrownStatus when the defaults of one object exceed the limit. */
  readonly take: (schema: JsonObject) => void;
}

/** A limit of kadmit: upstream grows without bound until etcd refuses objects over 1.5 MiB. */
const maxDefaulted = { values: 50_000, characters: 3 * 1024 * 1024 };

export const tooManyDefaultsText = `kadmit fills in at most ${maxDefaulted.values} values and ${maxDefaulted.characters} characters of a schema's defaults`;

function createDefaultingBudget(): DefaultingBudget {
  let values = 0;
  let characters = 0;
  return {
    take: (schema) => {
      const size = measureDefault(schema);
      values += size.values;
      characters += size.characters;
      if (values <= maxDefaulted.values && characters <= maxDefaulted.characters) return;
      throw new ThrownStatus(tooManyDefaultsText, requestEntityTooLarge(tooManyDefaultsText));
    },
  };
}

const measureDefault = readOnce((schema: JsonObject) => {
  const size = { values: 0, characters: 0 };
  if (schema['default'] !== undefined) addSize(schema['default'], size);
  return size;
});

function addSize(value: JsonValue, size: { values: number; characters: number }): void {
  size.values += 1;
  if (typeof value === 'string') size.characters += value.length;
  if (Array.isArray(value)) for (const item of value) addSize(item, size);
  else if (isJsonObject(value)) {
    for (const [name, inner] of Object.entries(value)) {
      size.characters += name.length;
      if (inner !== undefined) addSize(inner, size);
    }
  }
}
