import { isJsonObject } from '../../apimachinery/json.ts';
import type { JsonObject } from '../../apimachinery/json.ts';

/** A map with its keys in the order in which Go prints them. */
export function sortedMap<T>(map: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The entries of `map` and those of `fallback` that it lacks. */
export function withMissing(map: JsonObject, fallback: JsonObject): JsonObject {
  const isComplete = Object.keys(fallback).every((name) => Object.hasOwn(map, name));
  return isComplete ? map : sortedMap({ ...fallback, ...map });
}

/** Whether it is a map with entries; the length of a nil map is 0 in Go. */
export const hasEntries = (map: unknown): map is JsonObject => isJsonObject(map) && Object.keys(map).length > 0;
