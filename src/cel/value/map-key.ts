import {
  Box,
  CelError,
  isBox,
  isInt,
  type MapKey,
  type MapValue,
  type CelResult,
  type TypedObject,
  type Value,
} from './value.ts';

/** The key of a value in a map: equal numbers of any type have the same key. undefined: not a valid key. */
export function mapKey(value: Value): MapKey | undefined {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (isInt(value)) return value;
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (!(value instanceof Box)) return undefined;
  if (value.kind === 'double') return mapKeyOfNumber(value.value);
  if (value.kind === 'uint') return smallIfSafe(value.value);
  return undefined;
}

const mapKeyOfNumber = (value: unknown): MapKey | undefined => (typeof value === 'number' ? value : undefined);
const smallIfSafe = (value: unknown): MapKey | undefined => {
  if (typeof value !== 'bigint') return undefined;
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
};

/** The value under a key; undefined when there is none. */
export function lookup(map: MapValue, key: Value): Value | undefined {
  if (isBox(map, 'object')) return typeof key === 'string' ? findField(map.value, key) : undefined;
  if (!isBox(map, 'map')) return typeof key === 'string' && Object.hasOwn(map, key) ? map[key] : undefined;
  const mapped = mapKey(key);
  return mapped === undefined ? undefined : map.value.get(mapped)?.[1];
}

const findField = (object: TypedObject, field: string): Value | undefined => {
  const value = object.find(field);
  return value instanceof CelError ? undefined : value;
};

export const mapSize = (map: MapValue): number => (map instanceof Box ? map.value.size : Object.keys(map).length);

export type MapEntry = readonly [key: Value, value: Value];

export function mapEntries(map: MapValue): readonly MapEntry[] {
  if (isBox(map, 'map')) return [...map.value.values()];
  if (!isBox(map, 'object')) return presentEntries(Object.keys(map), (name) => map[name]);
  const { value } = map;
  return presentEntries(value.fields(), (field) => findField(value, field));
}

function presentEntries(names: readonly string[], get: (name: string) => Value | undefined): readonly MapEntry[] {
  const entries: MapEntry[] = [];
  for (const name of names) {
    const value = get(name);
    if (value !== undefined) entries.push([name, value]);
  }
  return entries;
}

/** A map of these entries; a repeated key is an error, or the last one wins. */
export function createMap(entries: Iterable<MapEntry>, lastWins = false): CelResult {
  const byKey = new Map<MapKey, MapEntry>();
  return insertInto(byKey, entries, lastWins) ?? new Box('map', byKey);
}

function insertInto(map: Map<MapKey, MapEntry>, added: Iterable<MapEntry>, lastWins: boolean): CelError | undefined {
  for (const entry of added) {
    const key = mapKey(entry[0]);
    if (key === undefined) return new CelError('unsupported key type');
    if (!lastWins && map.has(key)) return new CelError(`insert failed: key ${String(key)} already exists`);
    map.set(key, entry);
  }
  return undefined;
}

/** The entries of a map under construction, changed in place: otherwise each insert would copy them. */
const underConstruction = new WeakMap<Box<'map'>, Map<MapKey, MapEntry>>();

/** An empty map that `insertEntries` fills in place: the accumulator of a loop, which expressions cannot reference. */
export function newGrowingMap(): Box<'map'> {
  const entries = new Map<MapKey, MapEntry>();
  const map = new Box('map', entries);
  underConstruction.set(map, entries);
  return map;
}

/** The map with these entries added; an existing key is an error. Follows cel-go ext/comprehensions.go. */
export function insertEntries(map: MapValue, added: readonly MapEntry[]): CelResult {
  const entries = isBox(map, 'map') ? underConstruction.get(map) : undefined;
  if (entries === undefined) return createMap([...mapEntries(map), ...added]);
  return insertInto(entries, added, false) ?? map;
}
