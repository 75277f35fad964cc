import { isJsonObject } from '../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../apimachinery/json.ts';
import { keyOf, keyValue } from '../trace/field-path.ts';
import { mapStrings, withoutRandomName, withoutServerFields } from '../scenario/expect/server-fields.ts';

/**
 * A text that is the same for the same object, whatever the order of its fields and of what has names in its lists. Init
 * containers keep their order, since they run in it.
 */
export const stateText = (object: JsonObject): string =>
  JSON.stringify(sorted(byNames(mapStrings(object, withoutRandomName), '')), plainNumbers);

/** The object as it would be stored, without what is drawn by chance or filled in by the server. */
export const storedForm = (object: JsonObject): JsonObject => withoutServerFields(object, {});

/**
 * A text that is the same for two objects that mean the same: lists of things that have names go by their names. Init
 * containers keep their order, since they run in it.
 */
export const meaningText = (object: JsonObject): string =>
  JSON.stringify(sorted(byNames(storedForm(object), '')), plainNumbers);

const plainNumbers = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}` : value);

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value).toSorted();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name] ?? null)]));
}

function byNames(value: JsonValue, field: string): JsonValue {
  if (isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, byNames(one ?? null, name)]));
  }
  if (!Array.isArray(value)) return value;
  const items: readonly JsonValue[] = value.map((item: JsonValue) => byNames(item, ''));
  const key = field === 'initContainers' ? undefined : keyOf([items]);
  if (key === undefined) return items;
  return items.toSorted((one, other) => ((keyValue(one, key) ?? '') < (keyValue(other, key) ?? '') ? -1 : 1));
}
