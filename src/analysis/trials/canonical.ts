import { isJsonObject, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import { listKeyOf, keyValue } from '../../explain/trace/field-path.ts';
import { withoutServerFields } from '../../testing/scenario/expect/object.ts';
import { withoutRandomName } from '../../explain/trace/random-names.ts';

/** The object as stored, without random and server-set fields. */
export const storedForm = (object: JsonObject): JsonObject => withoutServerFields(object, {});

/** Equal for objects with the same meaning: lists of named items are sorted by name, except init containers. */
export const meaningText = (object: JsonObject): string => stateText(storedForm(object));

/** The same with server-set fields. */
export const stateText = (object: JsonObject): string => textOf(object, '');

/** `field` contains the value; '' for list items. */
function textOf(value: JsonValue, field: string): string {
  if (typeof value === 'string') return JSON.stringify(withoutRandomName(value));
  if (typeof value === 'bigint') return `"${value}"`;
  if (Array.isArray(value)) return `[${inOrder(value, field).join()}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${textOf(value[name] ?? null, name)}`).join()}}`;
}

function inOrder(items: readonly JsonValue[], field: string): readonly string[] {
  const key = field === 'initContainers' ? undefined : listKeyOf([items]);
  if (key === undefined) return items.map((item) => textOf(item, ''));
  return items
    .map((item) => ({ name: withoutRandomName(keyValue(item, key) ?? ''), text: textOf(item, '') }))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ text }) => text);
}
