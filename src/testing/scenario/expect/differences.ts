import { bigintAsText } from '../../../machinery/json/json-writer.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { asString, isJsonObject, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';

export interface FieldDifference {
  /** `spec.containers[name=app].image`; '' for the object itself. */
  readonly path: string;
  /** `was expected to be "a", and is "b"`. */
  readonly problem: string;
}

type Value = JsonValue | undefined;

/**
 * Extra fields in `actual` are allowed; a field expected as null must be absent. List items with a name (or type, like conditions) are
 * found by it and may have others beside them; other lists are compared item by item.
 */
export function missingFields(actual: Value, expected: Value, path = ''): readonly FieldDifference[] {
  if (expected === undefined) return [];
  if (expected === null) return actual === undefined || actual === null ? [] : [unexpectedValue(path, actual)];
  if (isJsonObject(expected)) return missingInObject(actual, expected, path);
  if (Array.isArray(expected)) return missingInList(actual, expected, path);
  return sameJson(expected, actual) ? [] : [valueDifference(path, expected, actual)];
}

function missingInObject(actual: Value, expected: JsonObject, path: string): readonly FieldDifference[] {
  if (!isJsonObject(actual)) {
    // An absent parent has no such field.
    return actual === undefined && expectsOnlyAbsence(expected) ? [] : [valueDifference(path, expected, actual)];
  }
  return Object.keys(expected).flatMap((field) =>
    missingFields(ownField(actual, field), expected[field], fieldPath(path, field)),
  );
}

const expectsOnlyAbsence = (expected: JsonObject): boolean =>
  Object.keys(expected).length > 0 && Object.values(expected).every((value) => value === null);

function missingInList(actual: Value, expected: readonly JsonValue[], path: string): readonly FieldDifference[] {
  if (!Array.isArray(actual)) return [valueDifference(path, expected, actual)];
  const list: readonly JsonValue[] = actual;
  const key = identityKey(expected);
  if (key !== undefined) return expected.flatMap((item) => missingItem(list, item, { key, path }));
  if (list.length !== expected.length) return [valueDifference(path, expected, list)];
  return expected.flatMap((item, index) => missingFields(list[index], item, `${path}[${index}]`));
}

function missingItem(
  list: readonly JsonValue[],
  item: JsonValue,
  { key, path }: { readonly key: string; readonly path: string },
): readonly FieldDifference[] {
  const name = isJsonObject(item) ? asString(item[key]) : '';
  const itemPath = `${path}[${key}=${name}]`;
  const candidates = itemsNamed(list, key, name).map((one) => missingFields(one, item, itemPath));
  const [nearest] = candidates.toSorted((a, b) => a.length - b.length);
  if (nearest) return nearest;
  const others = list.flatMap((one) => (isJsonObject(one) && one[key] !== undefined ? [asString(one[key])] : []));
  const existing = others.length === 0 ? 'the list is empty' : `there is ${others.join(', ')}`;
  return [{ path: itemPath, problem: `is missing; ${existing}` }];
}

/** Compares in both directions; lists item by item. */
export function differencesBetween(actual: Value, expected: Value, path = ''): readonly FieldDifference[] {
  if (sameJson(actual, expected)) return [];
  if (isJsonObject(actual) && isJsonObject(expected)) {
    const fields = [...new Set([...Object.keys(expected), ...Object.keys(actual)])];
    return fields.flatMap((field) =>
      differencesBetween(ownField(actual, field), ownField(expected, field), fieldPath(path, field)),
    );
  }
  if (Array.isArray(actual) && Array.isArray(expected)) {
    if (actual.length !== expected.length) return [valueDifference(path, expected, actual)];
    const list: readonly JsonValue[] = actual;
    return expected.flatMap((item: JsonValue, index) => differencesBetween(list[index], item, `${path}[${index}]`));
  }
  return [expected === undefined ? unexpectedValue(path, actual) : valueDifference(path, expected, actual)];
}

const valueDifference = (path: string, expected: Value, actual: Value): FieldDifference => ({
  path,
  problem: `was expected to be ${shortJson(expected)}, and ${actual === undefined ? 'is missing' : `is ${shortJson(actual)}`}`,
});

const unexpectedValue = (path: string, actual: Value): FieldDifference => ({
  path,
  problem: `was expected to be absent, and is ${shortJson(actual)}`,
});

const maxValueLength = 100;

export function shortJson(value: Value): string {
  const text = JSON.stringify(value, bigintAsText) ?? 'nothing';
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text;
}

const ownField = (object: JsonObject, field: string): Value =>
  Object.hasOwn(object, field) ? object[field] : undefined;

function fieldPath(path: string, field: string): string {
  if (!/^[\w-]+$/.test(field)) return `${path}[${JSON.stringify(field)}]`;
  return path === '' ? field : `${path}.${field}`;
}

/** `spec.a is missing; spec.b was …` */
export const differencesText = (differences: readonly FieldDifference[]): string =>
  differences.map(({ path, problem }) => `${path === '' ? 'the object' : path} ${problem}`).join('; ');

/** Keys of list items: containers, volumes and env by name, conditions by type. */
const itemKeys = ['name', 'type'] as const;

/** undefined when the items are compared by index. */
export const identityKey = (items: readonly JsonValue[]): string | undefined =>
  items.length === 0
    ? undefined
    : itemKeys.find((key) => items.every((item) => isJsonObject(item) && typeof item[key] === 'string'));

/** Several for volumeMounts. */
export const itemsNamed = (
  list: readonly JsonValue[],
  key: string,
  name: JsonValue | undefined,
): readonly JsonValue[] => list.filter((item) => isJsonObject(item) && sameJson(item[key], name));
