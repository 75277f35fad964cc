import { mapStrings, withoutRandomName } from '../../../explain/trace/secret-values.ts';
import {
  type JsonObject,
  type JsonValue,
  asObject,
  isJsonObject,
  valueAt,
  withValue,
} from '../../../machinery/json/json.ts';
import type { Expectation } from '../format.ts';
import type { Failure } from '../outcome.ts';
import { differencesBetween, differencesText, identityKey, itemsNamed, missingFields } from './differences.ts';
import type { StepObservation } from './step-observation.ts';
import { sortedYamlText, yamlText } from './text.ts';

export function checkExpectedObject({ object, place }: Expectation, { answer }: StepObservation): readonly Failure[] {
  if (object === undefined) return [];
  const differences = missingFields(answer.body, object);
  if (differences.length === 0) return [];
  const sides = { expected: yamlText(object), actual: yamlText(pickExpected(answer.body, object)) };
  return [{ what: 'object', place, message: differencesText(differences), ...sides }];
}

/** Except fields that the server fills in. */
export function checkExactly({ exactly, place }: Expectation, { answer }: StepObservation): readonly Failure[] {
  if (exactly === undefined) return [];
  const actual = withoutServerFields(answer.body, exactly);
  const expected = withoutServerFields(exactly, exactly);
  const differences = differencesBetween(actual, expected);
  if (differences.length === 0) return [];
  const sides = { expected: sortedYamlText(expected), actual: sortedYamlText(actual) };
  return [{ what: 'exactly', place, message: differencesText(differences), ...sides }];
}

type Value = JsonValue | undefined;

/** The part of `actual` that `expected` names, in its order, for a diff. */
function pickExpected(actual: Value, expected: Value): Value {
  if (isJsonObject(expected) && isJsonObject(actual)) return pickExpectedFields(actual, expected);
  if (Array.isArray(expected) && Array.isArray(actual)) return pickExpectedItems(actual, expected);
  return actual;
}

const pickExpectedFields = (actual: JsonObject, expected: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.keys(expected)
      .filter((field) => Object.hasOwn(actual, field))
      .map((field) => [field, pickExpected(actual[field], expected[field])]),
  );

function pickExpectedItems(actual: readonly JsonValue[], expected: readonly JsonValue[]): readonly JsonValue[] {
  const key = identityKey(expected);
  if (key === undefined) {
    if (actual.length !== expected.length) return actual;
    return actual.map((item, index) => pickExpected(item, expected[index]) ?? null);
  }
  return expected.flatMap((item) =>
    itemsNamed(actual, key, isJsonObject(item) ? item[key] : undefined).map((one) => pickExpected(one, item) ?? null),
  );
}

const serverFields: readonly (readonly string[])[] = [
  ['metadata', 'uid'],
  ['metadata', 'resourceVersion'],
  ['metadata', 'generation'],
  ['metadata', 'creationTimestamp'],
  ['metadata', 'selfLink'],
  ['metadata', 'managedFields'],
  ['status'],
];

/** Keeps the fields that `expected` names; random names become `<random>`. */
export function withoutServerFields(object: JsonObject, expected: JsonObject): JsonObject {
  const remaining = serverFields
    .filter((path) => valueAt(expected, ...path) === undefined)
    .reduce((rest, path) => (valueAt(rest, ...path) === undefined ? rest : withValue(rest, path, undefined)), object);
  return asObject(mapStrings(remaining, withoutRandomName));
}

/** Objects by resource, or why they could not be counted. */
export type Counts = Readonly<Record<string, number | string>>;

export function checkObjectCounts(
  { settled = {}, place }: Expectation,
  counts: Counts | undefined,
): readonly Failure[] {
  return Object.entries(settled).flatMap(([resource, expected]) => {
    const actual = counts?.[resource] ?? 'not counted';
    if (actual === expected) return [];
    const message =
      typeof actual === 'string'
        ? `${resource}: ${actual}`
        : `${expected} ${resource} were expected once the controllers were idle, and there are ${actual}`;
    return [{ what: 'settled', place, message }];
  });
}
