import { namesOf } from '../../apimachinery/field-names.ts';
import { forEachInTurns, isInTurns } from '../../apimachinery/in-turns.ts';
import { isJsonObject, setOwn } from '../../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';

/** The entries of `map` and those of `fallback` that it lacks. */
export function withMissing<T extends JsonObject>(map: T, fallback: T): T {
  const isComplete = Object.keys(fallback).every((name) => Object.hasOwn(map, name));
  if (isComplete) return map;
  if (!hasEntries(map)) return fallback;
  if (!isInTurns(namesOf(map).length)) return { ...fallback, ...map };
  return forEachInTurns(
    namesOf(map),
    () => ({ ...fallback }),
    (out, name) => setOwn(out, name, map[name]),
  );
}

/** Whether it is a map with entries; the length of a nil map is 0 in Go. */
export const hasEntries = <T extends JsonValue>(map: T | undefined): map is Extract<T, JsonObject> =>
  isJsonObject(map) && namesOf(map).length > 0;
