import { mapEntries, mapKey, mapOf } from './map-key.ts';
import type { MapEntry } from './map-key.ts';
import { Box, CelError, isBox } from './value.ts';
import type { MapKey, MapValue, Result } from './value.ts';

const building = new WeakMap<Box<'map'>, Map<MapKey, MapEntry>>();

/** An empty map that `insertEntries` fills in place: the accumulator of a loop, which no expression can hold on to. */
export function startMap(): Box<'map'> {
  const entries = new Map<MapKey, MapEntry>();
  const map = new Box('map', entries);
  building.set(map, entries);
  return map;
}

/** The map with these entries added; a key that is there already is an error. Follows cel-go ext/comprehensions.go. */
export function insertEntries(map: MapValue, added: readonly MapEntry[]): Result {
  const entries = isBox(map, 'map') ? building.get(map) : undefined;
  if (entries === undefined) return mapOf([...mapEntries(map), ...added]);
  for (const entry of added) {
    const key = mapKey(entry[0]);
    if (key === undefined) return new CelError('unsupported key type');
    if (entries.has(key)) return new CelError(`insert failed: key ${String(key)} already exists`);
    entries.set(key, entry);
  }
  return map;
}
