import { isJsonObject, isList } from '../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';
import { keyOf, keyValue, pathText } from '../trace/field-path.ts';
import type { FieldPath } from '../trace/field-path.ts';
import { namedList } from './named-lists.ts';

/** An item that a list has once more than before. */
export interface Growth {
  readonly list: FieldPath;
  /** Its name, or itself when it is a text. */
  readonly name: string;
  readonly isNamed: boolean;
  readonly item: JsonValue;
  /** How many of that name there are now. */
  readonly count: number;
  readonly was: number;
}

/** Where lists of named items, and of texts, have grown between two objects. */
export function growthBetween(before: JsonObject, after: JsonObject): readonly Growth[] {
  const old = new Map(listsIn(before, []).map(({ path, list }) => [pathText(path), list]));
  return listsIn(after, []).flatMap(({ path, list }) => {
    const was = old.get(pathText(path));
    return was === list ? [] : growthOf(path, was ?? [], list);
  });
}

function growthOf(path: FieldPath, was: readonly JsonValue[], list: readonly JsonValue[]): readonly Growth[] {
  const key = namedList(path)?.key;
  const counts = countsOf(was, key);
  const now = countsOf(list, key);
  return [...now].flatMap(([name, { count, item }]) => {
    const before = counts.get(name)?.count ?? 0;
    return count <= before ? [] : [{ list: path, name, isNamed: typeof item !== 'string', item, count, was: before }];
  });
}

function countsOf(list: readonly JsonValue[], key: string | undefined) {
  const counts = new Map<string, { readonly count: number; readonly item: JsonValue }>();
  for (const item of list) {
    const name = typeof item === 'string' ? item : key === undefined ? undefined : keyValue(item, key);
    if (name !== undefined) counts.set(name, { count: (counts.get(name)?.count ?? 0) + 1, item });
  }
  return counts;
}

interface Found {
  readonly path: FieldPath;
  readonly list: readonly JsonValue[];
}

function listsIn(value: JsonValue | undefined, path: FieldPath): readonly Found[] {
  if (path.length === 2 && path[1] === 'managedFields') return [];
  if (isJsonObject(value)) return Object.entries(value).flatMap(([field, inner]) => listsIn(inner, [...path, field]));
  if (!isList(value)) return [];
  const key = keyOf([value]);
  const inner = value.flatMap((item, at) => {
    const named = key === undefined ? undefined : keyValue(item, key);
    return listsIn(item, [...path, key === undefined || named === undefined ? at : { key, value: named }]);
  });
  return [{ path, list: value }, ...inner];
}
