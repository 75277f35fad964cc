import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';

/** The entries of `map`, and those of `fallback` that `map` lacks. */
export function withDefaultEntries<T extends JsonObject>(map: T, fallback: T): T;
export function withDefaultEntries(map: JsonObject, fallback: JsonObject): JsonObject {
  if (Object.keys(fallback).every((name) => Object.hasOwn(map, name))) return map;
  if (!hasEntries(map)) return fallback;
  return { ...fallback, ...map };
}

/** Whether it is a map with entries; the length of a nil map is 0 in Go. */
export const hasEntries = <T extends JsonValue>(map: T | undefined): map is Extract<T, JsonObject> =>
  isJsonObject(map) && Object.keys(map).length > 0;
