import { childPath } from './prune.ts';
import { append, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../machinery/json/json.ts';
import { duplicate, invalidValue, type FieldError } from '../../machinery/meta/field-error.ts';
import { writeJson } from '../../machinery/json/json-writer.ts';
import { additionalSchema, type Structural } from './structural.ts';

/**
 * Duplicates in sets and in lists of type map. Follows apiextensions-apiserver
 * pkg/apiserver/schema/listtype/validation.go.
 */
export function validateListSetsAndMaps(
  value: JsonValue | undefined,
  schema: Structural | undefined,
  path = '',
): readonly FieldError[] {
  if (schema === undefined || !schema.features.keyedLists || typeof value !== 'object' || value === null) return [];

  const errors: FieldError[] = [];
  if (isJsonObject(value)) {
    const others = additionalSchema(schema);
    for (const field of Object.keys(value)) {
      if (others !== undefined) append(errors, validateListSetsAndMaps(value[field], others, `${path}[${field}]`));
      append(errors, validateListSetsAndMaps(value[field], schema.properties.get(field), childPath(path, field)));
    }
    return errors;
  }
  append(errors, validateList(value, schema, path));
  for (const [index, item] of value.entries()) {
    append(errors, validateListSetsAndMaps(item, schema.items, `${path}[${index}]`));
  }
  return errors;
}

function validateList(items: readonly JsonValue[], schema: Structural, path: string): readonly FieldError[] {
  if (schema.listType === 'set') {
    const indexes = findSecondOccurrences(items);
    return indexes.map((index) => duplicate(`${path}[${index}]`, items[index] ?? null));
  }
  return schema.listType === 'map' ? validateListMap(items, schema.listMapKeys, path) : [];
}

function validateListMap(items: readonly JsonValue[], keys: readonly string[], path: string): readonly FieldError[] {
  const wrong = items.findIndex((item) => item !== null && !isJsonObject(item));
  if (wrong >= 0) {
    const detail = 'must be an object for an array of list-type map';
    return [invalidValue(`${path}[${wrong}]`, items[wrong] ?? null, detail)];
  }
  const found = items.map((item) => readMapKey(item, keys));

  const indexes = findSecondOccurrences(found);
  return indexes.map((index) => duplicate(`${path}[${index}]`, found[index] ?? {}));
}

function readMapKey(item: JsonValue, keys: readonly string[]): JsonObject {
  const key: JsonObject = {};
  if (!isJsonObject(item)) return key;
  for (const field of keys) if (Object.hasOwn(item, field)) setOwn(key, field, item[field]);
  return key;
}

/** The index of the second occurrence; further ones are not reported. */
function findSecondOccurrences(values: readonly JsonValue[]): readonly number[] {
  const times = new Map<string, number>();
  const second: number[] = [];
  for (const [index, value] of values.entries()) {
    const text = writeJson(value);
    const occurrences = times.get(text) ?? 0;
    times.set(text, occurrences + 1);
    if (occurrences === 1) second.push(index);
  }
  return second;
}
