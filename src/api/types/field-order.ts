import { isJsonObject, isList, mapChanged, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import { type KubernetesObject, mapFields } from '../../machinery/meta/object.ts';
import { flattenFields, typeMetaFields, type BuiltinTypes } from './builtin-types.ts';
import type { TypeRef } from './type-info.ts';

/** Sorts fields; parts shared with `before` are sorted. */
type Order = (value: JsonValue, before: JsonValue | undefined) => JsonValue;

/**
 * Sorts struct fields as declared and map keys by name, and drops undefined and unknown fields; the same object if it
 * is sorted or of an unknown kind.
 */
export type InFieldOrder = (object: KubernetesObject, before?: KubernetesObject) => KubernetesObject;

export function createFieldOrder(types: BuiltinTypes): InFieldOrder {
  const orders = new Map<string, Order>();
  const orderOf: OrderOf = (name) => {
    const known = orders.get(name);
    if (known) return known;
    const info = types.typeInfo(name);
    const alias = info?.is === 'alias' ? createOrder(info.of, orderOf) : undefined;
    const order =
      info?.is === 'struct' ? createStructOrder(() => rankFields(name, types, orderOf)) : (alias ?? keepOrder);
    orders.set(name, order);
    return order;
  };
  return (object, before) => {
    if (object === before) return object;
    const type = types.typeOfObject(object);
    if (type === undefined) return object;
    const ordered = orderOf(type)(object, before);
    return ordered === object || !isJsonObject(ordered)
      ? object
      : { ...ordered, kind: object.kind, apiVersion: object.apiVersion };
  };
}

type OrderOf = (name: string) => Order;

const keepOrder: Order = (value) => value;

/** undefined for types without an order. */
function createOrder(type: TypeRef, orderOf: OrderOf): Order | undefined {
  if (type.type === 'scalar') return undefined;
  if (type.type === 'named') return createLazyOrder(() => orderOf(type.name));
  const element = createOrder(type.of, orderOf);
  if (type.type === 'map') return createMapOrder(element);
  return element && createListOrder(element);
}

/** Lazy: types may contain themselves. */
function createLazyOrder(make: () => Order): Order {
  let order: Order | undefined;
  return (value, before) => (order ??= make())(value, before);
}

const createListOrder =
  (element: Order): Order =>
  (value, before) => {
    if (value === before || !isList(value)) return value;
    const old = isList(before) ? before : [];
    return mapChanged(value, (item, at) => element(item, old[at]));
  };

interface FieldRank {
  readonly rank: number;
  readonly order: Order | undefined;
}

type FieldRanks = ReadonlyMap<string, FieldRank>;

function createStructOrder(make: () => FieldRanks): Order {
  let ranks: FieldRanks | undefined;
  return (value, before) => {
    if (value === before || !isJsonObject(value)) return value;
    ranks ??= make();
    return orderFields(value, isJsonObject(before) ? before : {}, ranks);
  };
}

function rankFields(name: string, types: BuiltinTypes, orderOf: OrderOf): FieldRanks {
  const fields = [...(types.hasTypeMeta(name) ? typeMetaFields : []), ...flattenFields(types, name)];
  return new Map(fields.map((field, rank) => [field.name, { rank, order: createOrder(field.type, orderOf) }]));
}

/** Rebuilds a struct only from the first misplaced field on. */
function orderFields(value: JsonObject, before: JsonObject, ranks: FieldRanks): JsonObject {
  let fields: RankedField[] | undefined;
  let last = -1;
  for (const name in value) {
    const item = value[name];
    const fieldRank = ranks.get(name);
    if (item === undefined || fieldRank === undefined) {
      fields ??= collectFieldsBefore(name, value, ranks);
      continue;
    }
    const ordered = orderItem(item, fieldRank, before[name]);
    if (ordered !== item || fieldRank.rank < last) fields ??= collectFieldsBefore(name, value, ranks);
    if (fields !== undefined) insertByRank(fields, { rank: fieldRank.rank, name, item: ordered });
    last = fieldRank.rank;
  }
  if (fields === undefined) return value;
  const out: Record<string, JsonValue> = {};
  for (const { name, item } of fields) out[name] = item; // A field's name is never one that objects inherit.
  return out;
}

function collectFieldsBefore(end: string, value: JsonObject, ranks: FieldRanks): RankedField[] {
  const fields: RankedField[] = [];
  for (const name in value) {
    if (name === end) break;
    const item = value[name];
    const fieldRank = ranks.get(name);
    if (item !== undefined && fieldRank !== undefined) fields.push({ rank: fieldRank.rank, name, item });
  }
  return fields;
}

const orderItem = (item: JsonValue, { order }: FieldRank, before: JsonValue | undefined): JsonValue =>
  order === undefined || typeof item !== 'object' || item === null ? item : order(item, before);

interface RankedField {
  readonly rank: number;
  readonly name: string;
  readonly item: JsonValue;
}

const createMapOrder =
  (element: Order | undefined): Order =>
  (value, before) => {
    if (value === before || !isJsonObject(value)) return value;
    return element === undefined && isSorted(value) ? value : sortMap(value, before, element ?? keepOrder);
  };

function isSorted(map: JsonObject): boolean {
  let last = '';
  for (const key of Object.keys(map)) {
    if (key < last || map[key] === undefined) return false;
    last = key;
  }
  return true;
}

function sortMap(value: JsonObject, before: JsonValue | undefined, element: Order): JsonObject {
  const old = isJsonObject(before) ? before : {};
  const items = new Map<string, JsonValue>();
  let last = '';
  let isInOrder = true;
  for (const key of Object.keys(value)) {
    const item = value[key];
    const ordered = item === undefined ? undefined : element(item, old[key]);
    if (ordered !== undefined) items.set(key, ordered);
    if (key < last || ordered === undefined || ordered !== item) isInOrder = false;
    last = key;
  }
  if (isInOrder) return value;
  return mapFields([...items.keys()].sort(), (key) => items.get(key));
}

/** Inserts by rank. Faster than iterating over all possible fields: few are present, and mostly in order. */
export function insertByRank<T extends { readonly rank: number }>(fields: T[], field: T): void {
  let at = fields.length;
  for (let before = fields[at - 1]; before !== undefined && before.rank > field.rank; before = fields[at - 1]) {
    fields[at] = before;
    at -= 1;
  }
  fields[at] = field;
}
