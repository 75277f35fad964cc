import { isJsonObject, type JsonValue } from '../../machinery/json/json.ts';

/** A field, a list item by its key, or a list item by its index. */
export type PathStep = string | number | { readonly key: string; readonly value: string };

export type FieldPath = readonly PathStep[];

/** `spec.containers[name=web].image`, `metadata.annotations[example.com/greeting]`, `args[0]`. */
export const pathText = (path: FieldPath): string =>
  path.map((step, at) => (typeof step === 'string' ? fieldText(step, at === 0) : `[${itemText(step)}]`)).join('');

const fieldText = (field: string, isFirst: boolean): string => {
  if (!/^[\w-]+$/.test(field)) return `[${field}]`;
  return isFirst ? field : `.${field}`;
};

export const itemText = (step: Exclude<PathStep, string>): string =>
  typeof step === 'number' ? String(step) : `${step.key}=${step.value}`;

/** Keys of list items, in order of preference. */
const keys = ['name', 'containerPort', 'mountPath', 'devicePath', 'port', 'uid', 'type', 'key', 'ip', 'topologyKey'];

/** A field that every item has, with different values in each list; undefined when there is none. */
export function listKeyOf(lists: readonly (readonly JsonValue[])[]): string | undefined {
  const items = lists.flat();
  if (items.length === 0 || !items.every(isJsonObject)) return undefined;
  return keys.find((key) =>
    lists.every((list) => {
      const values = list.map((item) => keyValue(item, key));
      return values.every((value) => value !== undefined) && new Set(values).size === values.length;
    }),
  );
}

export function keyValue(item: JsonValue, key: string): string | undefined {
  const value = isJsonObject(item) ? item[key] : undefined;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
