import { isJsonObject } from '../../machinery/json/json.ts';
import type { JsonValue } from '../../machinery/json/json.ts';

/** A step into a value: a field, the item of a list that has this key, or the item at an index. */
export type PathStep = string | number | { readonly key: string; readonly value: string };

export type FieldPath = readonly PathStep[];

/** `spec.containers[name=web].image`, `metadata.annotations[example.com/greeting]`, `args[0]`. */
export const pathText = (path: FieldPath): string =>
  path.map((step, at) => (typeof step === 'string' ? fieldText(step, at === 0) : `[${itemText(step)}]`)).join('');

const fieldText = (field: string, isFirst: boolean): string => {
  if (!/^[\w-]+$/.test(field)) return `[${field}]`;
  return isFirst ? field : `.${field}`;
};

/** What stands between the brackets: `name=web`, `0`. */
export const itemText = (step: Exclude<PathStep, string>): string =>
  typeof step === 'number' ? String(step) : `${step.key}=${step.value}`;

/** Fields by which people and merge keys tell the items of a list apart, the likeliest first. */
const keys = ['name', 'containerPort', 'mountPath', 'devicePath', 'port', 'uid', 'type', 'key', 'ip', 'topologyKey'];

/**
 * The field that tells the items of these lists apart: each item of each list has it, and no two of a list have the
 * same. Undefined for lists of anything but such objects; then items go by their index.
 */
export function keyOf(lists: readonly (readonly JsonValue[])[]): string | undefined {
  const items = lists.flat();
  if (items.length === 0 || !items.every(isJsonObject)) return undefined;
  return keys.find((key) =>
    lists.every((list) => {
      const values = list.map((item) => keyValue(item, key));
      return values.every((value) => value !== undefined) && new Set(values).size === values.length;
    }),
  );
}

/** The text of an item's key, or undefined when it has none. */
export function keyValue(item: JsonValue, key: string): string | undefined {
  const value = isJsonObject(item) ? item[key] : undefined;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
