import { isJsonObject, type JsonObject, type JsonValue } from '../json/json.ts';

/** A value that Go has and JSON has not, as `%T`, `%v` and `%#v` print it. */
export interface GoValue {
  readonly type: string;
  readonly plain: string;
  readonly syntax: string;
}

/** What JSON cannot hold, by its place in the tree. */
const known = new WeakMap<JsonObject, GoValue>();

/** An empty object that represents the value in a JSON tree. */
export function goValuePlaceholder(value: GoValue): JsonObject {
  const place: JsonObject = Object.freeze({});
  known.set(place, value);
  return place;
}

/** The value that such an object represents. */
export const goValueAt = (value: JsonValue): GoValue | undefined =>
  isJsonObject(value) ? known.get(value) : undefined;
