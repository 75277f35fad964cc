import { namesOf } from '../../apimachinery/field-names.ts';
import { fieldsInTurns } from '../../apimachinery/fields-in-turns.ts';
import { isInTurns } from '../../apimachinery/in-turns.ts';
import { isJsonObject } from '../../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';

/** The entries of `map` and those of `fallback` that it lacks. */
export function withMissing<T extends JsonObject>(map: T, fallback: T): T;
export function withMissing(map: JsonObject, fallback: JsonObject): JsonObject {
  const first = namesOf(fallback);
  if (first.every((name) => Object.hasOwn(map, name))) return map;
  if (!hasEntries(map)) return fallback;
  const others = namesOf(map).filter((name) => !Object.hasOwn(fallback, name));
  if (!isInTurns(first.length + others.length)) return { ...fallback, ...map };
  return fieldsInTurns([...first, ...others], (name) => (Object.hasOwn(map, name) ? map[name] : fallback[name]));
}

/** Whether it is a map with entries; the length of a nil map is 0 in Go. */
export const hasEntries = <T extends JsonValue>(map: T | undefined): map is Extract<T, JsonObject> =>
  isJsonObject(map) && namesOf(map).length > 0;
