import { isJsonObject } from '../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';
import { keyOf, keyValue } from '../../explain/trace/field-path.ts';
import { withoutServerFields } from '../../testing/scenario/expect/object.ts';
import { withoutRandomName } from '../../explain/trace/random-names.ts';

/** The object as it would be stored, without what is drawn by chance or filled in by the server. */
export const storedForm = (object: JsonObject): JsonObject => withoutServerFields(object, {});

/**
 * A text that is the same for two objects that mean the same: lists of things that have names go by their names. Init
 * containers keep their order, since they run in it.
 */
export const meaningText = (object: JsonObject): string => stateText(storedForm(object));

/** The same of an object with all that the server fills in. */
export const stateText = (object: JsonObject): string => textOf(object, '');

/** `field` is the one whose value it is; '' for the item of a list. */
function textOf(value: JsonValue, field: string): string {
  if (typeof value === 'string') return JSON.stringify(withoutRandomName(value));
  if (typeof value === 'bigint') return `"${value}"`;
  if (Array.isArray(value)) return `[${inOrder(value, field).join()}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${textOf(value[name] ?? null, name)}`).join()}}`;
}

/** The texts of the items. */
function inOrder(items: readonly JsonValue[], field: string): readonly string[] {
  const key = field === 'initContainers' ? undefined : keyOf([items]);
  if (key === undefined) return items.map((item) => textOf(item, ''));
  return items
    .map((item) => ({ name: withoutRandomName(keyValue(item, key) ?? ''), text: textOf(item, '') }))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ text }) => text);
}
