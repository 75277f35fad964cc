import { isJsonObject } from '../../apimachinery/json.ts';
import type { JsonObject } from '../../apimachinery/json.ts';

/** The entries of `map` and those of `fallback` that it lacks. */
export function withMissing(map: JsonObject, fallback: JsonObject): JsonObject {
  const isComplete = Object.keys(fallback).every((name) => Object.hasOwn(map, name));
  return isComplete ? map : { ...fallback, ...map };
}

/** Whether it is a map with entries; the length of a nil map is 0 in Go. */
export const hasEntries = (map: unknown): map is JsonObject => isJsonObject(map) && Object.keys(map).length > 0;
