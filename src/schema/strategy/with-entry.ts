import type { StringMap } from '../../apimachinery/object.ts';

/** Labels or annotations with one entry set, their keys in the order in which Go prints them. */
export const withEntry = (map: StringMap | undefined, key: string, value: string): StringMap =>
  Object.fromEntries(Object.entries({ ...map, [key]: value }).toSorted(([a], [b]) => (a < b ? -1 : 1)));
