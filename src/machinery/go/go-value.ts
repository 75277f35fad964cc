import { isJsonObject } from '../json/json.ts';
import type { JsonObject, JsonValue } from '../json/json.ts';

/** A value that Go has and JSON has not, as `%T`, `%v` and `%#v` print it. */
export interface GoValue {
  readonly type: string;
  readonly plain: string;
  readonly syntax: string;
}

const known = new WeakMap<JsonObject, GoValue>();

/** An empty object, in the place in a JSON tree where Go has this value. */
export function standIn(value: GoValue): JsonObject {
  const place: JsonObject = Object.freeze({});
  known.set(place, value);
  return place;
}

/** What stands in for something else, in a tree that somebody put such objects in. */
export const standsFor = (value: JsonValue): GoValue | undefined =>
  isJsonObject(value) ? known.get(value) : undefined;
