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
export function missingFrom(actual: Value, expected: Value, path = ''): readonly FieldDifference[] {
  if (expected === undefined) return [];
  if (expected === null) return actual === undefined || actual === null ? [] : [absent(path, actual)];
  if (isJsonObject(expected)) return missingFromObject(actual, expected, path);
  if (Array.isArray(expected)) return missingFromList(actual, expected, path);
  return sameJson(expected, actual) ? [] : [other(path, expected, actual)];
}

function missingFromObject(actual: Value, expected: JsonObject, path: string): readonly FieldDifference[] {
  if (!isJsonObject(actual)) {
    // An absent parent has no such field.
    return actual === undefined && wantsNothing(expected) ? [] : [other(path, expected, actual)];
  }
  return Object.keys(expected).flatMap((field) =>
    missingFrom(ownField(actual, field), expected[field], at(path, field)),
  );
}

const wantsNothing = (expected: JsonObject): boolean =>
  Object.keys(expected).length > 0 && Object.values(expected).every((value) => value === null);

function missingFromList(actual: Value, expected: readonly JsonValue[], path: string): readonly FieldDifference[] {
  if (!Array.isArray(actual)) return [other(path, expected, actual)];
  const list: readonly JsonValue[] = actual;
  const key = identityKey(expected);
  if (key !== undefined) return expected.flatMap((item) => missingItem(list, item, { key, path }));
  if (list.length !== expected.length) return [other(path, expected, list)];
  return expected.flatMap((item, index) => missingFrom(list[index], item, `${path}[${index}]`));
}

function missingItem(
  list: readonly JsonValue[],
  item: JsonValue,
  { key, path }: { readonly key: string; readonly path: string },
): readonly FieldDifference[] {
  const name = isJsonObject(item) ? asString(item[key]) : '';
  const place = `${path}[${key}=${name}]`;
  const candidates = itemsOfName(list, key, name).map((one) => missingFrom(one, item, place));
  const [nearest] = candidates.toSorted((a, b) => a.length - b.length);
  if (nearest) return nearest;
  const others = list.flatMap((one) => (isJsonObject(one) && one[key] !== undefined ? [asString(one[key])] : []));
  const there = others.length === 0 ? 'the list is empty' : `there is ${others.join(', ')}`;
  return [{ path: place, problem: `is missing; ${there}` }];
}

/** Compares in both directions; lists item by item. */
export function differencesBetween(actual: Value, expected: Value, path = ''): readonly FieldDifference[] {
  if (sameJson(actual, expected)) return [];
  if (isJsonObject(actual) && isJsonObject(expected)) {
    const fields = [...new Set([...Object.keys(expected), ...Object.keys(actual)])];
    return fields.flatMap((field) =>
      differencesBetween(ownField(actual, field), ownField(expected, field), at(path, field)),
    );
  }
  if (Array.isArray(actual) && Array.isArray(expected)) {
    if (actual.length !== expected.length) return [other(path, expected, actual)];
    const list: readonly JsonValue[] = actual;
    return expected.flatMap((item: JsonValue, index) => differencesBetween(list[index], item, `${path}[${index}]`));
  }
  return [expected === undefined ? absent(path, actual) : other(path, expected, actual)];
}

const other = (path: string, expected: Value, actual: Value): FieldDifference => ({
  path,
  problem: `was expected to be ${short(expected)}, and ${actual === undefined ? 'is missing' : `is ${short(actual)}`}`,
});

const absent = (path: string, actual: Value): FieldDifference => ({
  path,
  problem: `was expected to be absent, and is ${short(actual)}`,
});

const maxValueLength = 100;

export function short(value: Value): string {
  const text = JSON.stringify(value, bigintAsText) ?? 'nothing';
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text;
}

const ownField = (object: JsonObject, field: string): Value =>
  Object.hasOwn(object, field) ? object[field] : undefined;

function at(path: string, field: string): string {
  if (!/^[\w-]+$/.test(field)) return `${path}[${JSON.stringify(field)}]`;
  return path === '' ? field : `${path}.${field}`;
}

/** `spec.a is missing; spec.b was …` */
export const differencesText = (differences: readonly FieldDifference[]): string =>
  differences.map(({ path, problem }) => `${path === '' ? 'the object' : path} ${problem}`).join('; ');

/** Keys of list items: containers, volumes and env by name, conditions by type. */
const keys = ['name', 'type'] as const;

/** undefined when the items are compared by index. */
export const identityKey = (items: readonly JsonValue[]): string | undefined =>
  items.length === 0
    ? undefined
    : keys.find((key) => items.every((item) => isJsonObject(item) && typeof item[key] === 'string'));

/** Several for volumeMounts. */
export const itemsOfName = (
  list: readonly JsonValue[],
  key: string,
  name: JsonValue | undefined,
): readonly JsonValue[] => list.filter((item) => isJsonObject(item) && sameJson(item[key], name));
