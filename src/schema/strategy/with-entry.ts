import { namesOf, sortedNamesOf } from '../../apimachinery/field-names.ts';
import { fieldsInTurns } from '../../apimachinery/fields-in-turns.ts';
import type { StringMap } from '../../apimachinery/object.ts';
import { sortedTexts } from '../../apimachinery/sort-in-turns.ts';

/** Labels or annotations with one entry set, their keys in the order in which Go prints them. */
export function withEntry(map: StringMap = {}, key: string, value: string): StringMap {
  const names = Object.hasOwn(map, key) ? sortedNamesOf(map) : sortedTexts([...namesOf(map), key]);
  return fieldsInTurns(names, (name) => (name === key ? value : map[name]));
}
