import { isJsonObject } from '../../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../../machinery/json/json.ts';
import { identityOf, itemsOfName } from './list-identity.ts';

type Value = JsonValue | undefined;

/** The part of `actual` that `expected` speaks of, in its order: what a diff shows beside it. */
export function projected(actual: Value, expected: Value): Value {
  if (isJsonObject(expected) && isJsonObject(actual)) return projectedObject(actual, expected);
  if (Array.isArray(expected) && Array.isArray(actual)) return projectedList(actual, expected);
  return actual;
}

const projectedObject = (actual: JsonObject, expected: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.keys(expected)
      .filter((field) => Object.hasOwn(actual, field))
      .map((field) => [field, projected(actual[field], expected[field])]),
  );

function projectedList(actual: readonly JsonValue[], expected: readonly JsonValue[]): readonly JsonValue[] {
  const key = identityOf(expected);
  if (key === undefined) {
    if (actual.length !== expected.length) return actual;
    return actual.map((item, index) => projected(item, expected[index]) ?? null);
  }
  return expected.flatMap((item) =>
    itemsOfName(actual, key, isJsonObject(item) ? item[key] : undefined).map((one) => projected(one, item) ?? null),
  );
}
