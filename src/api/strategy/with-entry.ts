import { mapFields } from '../../machinery/meta/map-fields.ts';
import type { StringMap } from '../../machinery/meta/object.ts';

/** Labels or annotations with one entry set, their keys in the order in which Go prints them. */
export function withEntry(map: StringMap = {}, key: string, value: string): StringMap {
  const names = Object.hasOwn(map, key) ? Object.keys(map).toSorted() : [...Object.keys(map), key].sort();
  return mapFields(names, (name) => (name === key ? value : map[name]));
}
