import { isJsonObject, type JsonValue, isList } from '../../machinery/json/json.ts';

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

/** The fields of an object or the items of a list, with their paths: items by their key, where they have one. */
export function membersOf(
  value: JsonValue,
  path: FieldPath,
): readonly (readonly [path: FieldPath, member: JsonValue | undefined])[] {
  if (isJsonObject(value)) return Object.entries(value).map(([field, member]) => [[...path, field], member]);
  if (!isList(value)) return [];
  const key = listKeyOf([value]);
  return value.map((item, at) => {
    const name = key === undefined ? undefined : keyValue(item, key);
    return [[...path, key === undefined || name === undefined ? at : { key, value: name }], item];
  });
}
