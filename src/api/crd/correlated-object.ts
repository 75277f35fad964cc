import { isJsonObject, isList, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import { sameJson } from '../../machinery/json/json-equal.ts';
import { fieldSchema, type Structural } from './structural.ts';

/** A value and its old value. Follows apiserver pkg/cel/common/equality.go. */
export interface CorrelatedObject {
  readonly old: JsonValue;
  /** undefined without an old value to compare with. */
  readonly key: (field: string) => CorrelatedObject | undefined;
  readonly index: (index: number) => CorrelatedObject | undefined;
  /** Items of a map list may have changed their order. */
  readonly isUnchanged: () => boolean;
}

export function correlate(value: JsonValue, old: JsonValue, schema: Structural): CorrelatedObject {
  const children = new Map<string | number, CorrelatedObject | undefined>();
  let unchanged: boolean | undefined;
  let oldItems: FindByKey | undefined;
  const remembered = (
    step: string | number,
    make: () => CorrelatedObject | undefined,
  ): CorrelatedObject | undefined => {
    if (!children.has(step)) children.set(step, make());
    return children.get(step);
  };
  const self: CorrelatedObject = {
    old,
    key: (field) => remembered(field, () => correlateField(value, old, schema, field)),
    index: (index) =>
      remembered(index, () => {
        if (!isList(value) || !isList(old) || schema.listType !== 'map') return undefined;
        oldItems ??= createMapListLookup(old, schema);
        const item = value[index];
        const counterpart = item === undefined ? undefined : oldItems(item);
        if (item === undefined || counterpart === undefined || schema.items === undefined) return undefined;
        return correlate(item, counterpart, schema.items);
      }),
    isUnchanged: () => (unchanged ??= isDeepEqual(self, value, old, schema)),
  };
  return self;
}

function correlateField(
  value: JsonValue,
  old: JsonValue,
  schema: Structural,
  field: string,
): CorrelatedObject | undefined {
  if (!isJsonObject(value) || !isJsonObject(old)) return undefined;
  const inner = Object.hasOwn(value, field) ? value[field] : undefined;
  const before = Object.hasOwn(old, field) ? old[field] : undefined;
  const found = fieldSchema(schema, field);
  if (inner === undefined || before === undefined || found === undefined) return undefined;
  return correlate(inner, before, found);
}

function isDeepEqual(self: CorrelatedObject, value: JsonValue, old: JsonValue, { listType }: Structural): boolean {
  if (isList(value) && isList(old)) {
    if (value.length !== old.length) return false;
    if (listType !== 'map') return sameJson(value, old);
    return value.every((_item, index) => self.index(index)?.isUnchanged() ?? false);
  }
  if (!isJsonObject(value) || !isJsonObject(old)) return sameJson(value, old);
  const fields = Object.keys(value);
  if (fields.length !== Object.keys(old).length) return false;
  return fields.every((field) => self.key(field)?.isUnchanged() ?? false);
}

/** Finds the item with the same key. */
export type FindByKey = (item: JsonValue) => JsonObject | undefined;

/** Of several items with one key the first counts. Follows apiserver pkg/cel/common/maplist.go. */
export function createMapListLookup(items: readonly JsonValue[], { listType, listMapKeys }: Structural): FindByKey {
  const byKey = new Map<string, JsonObject>();
  if (listType !== 'map') return () => undefined;
  for (const item of items) {
    const key = formatMapKey(item, listMapKeys);
    if (key !== undefined && isJsonObject(item) && !byKey.has(key)) byKey.set(key, item);
  }
  return (item) => {
    const key = formatMapKey(item, listMapKeys);
    return key === undefined ? undefined : byKey.get(key);
  };
}

function formatMapKey(item: JsonValue, keys: readonly string[]): string | undefined {
  if (!isJsonObject(item) || keys.length === 0) return undefined;
  const parts: string[] = [];
  for (const key of keys) {
    const value = Object.hasOwn(item, key) ? item[key] : undefined;
    if (value === undefined || value === null || typeof value === 'object') return undefined;
    parts.push(typeof value === 'string' ? JSON.stringify(value) : String(value));
  }
  return parts.join(',');
}
