import type { JsonValue } from '../../machinery/json/json.ts';
import { isJsonObject } from '../../machinery/json/json.ts';
import { writeJson } from '../../machinery/json/json-writer.ts';
import { equals } from '../value/equality.ts';
import { withListKind } from '../value/list-kind.ts';
import { isBox, isInt } from '../value/value.ts';
import type { Value } from '../value/value.ts';
import { escapeName } from './escape.ts';
import type { RuleSchema } from './rule-schema.ts';

/**
 * A list that compares and adds as its schema says: sets whatever the order, maps by their keys.
 * Follows apiserver pkg/cel/common/values.go.
 */
export function typedList(
  raw: readonly JsonValue[],
  converted: readonly Value[],
  { listType, mapKeys }: RuleSchema,
): readonly Value[] {
  if (listType === 'set') return asSet(raw, converted);
  return listType === 'map' ? asMap(raw, converted, mapKeys.map(keyField)) : converted;
}

const keyField = (name: string): string => escapeName(name) ?? name;

/** Elements are found by what they are in JSON, so that a formatted string never equals its text. */
function asSet(raw: readonly JsonValue[], converted: readonly Value[]): readonly Value[] {
  const members = new Set<unknown>(raw);
  return withListKind(converted, {
    equals: (other) => other.length === raw.length && other.every((value) => members.has(jsonOf(value))),
    add: (other) => {
      const added = other.filter((value) => !members.has(jsonOf(value)));
      return asSet([...raw, ...added.map(jsonOf)], [...converted, ...added]);
    },
  });
}

/** A scalar as JSON writes it; null, which no set holds, for every other value. */
function jsonOf(value: Value): JsonValue {
  if (typeof value === 'string' || typeof value === 'boolean' || isInt(value)) return value;
  return typeof value === 'number' ? value : null;
}

function asMap(raw: readonly JsonValue[], converted: readonly Value[], fields: readonly string[]): readonly Value[] {
  const places = new Map(raw.map((element, index) => [keyOf(element, fields), index]));
  const placeOf = (value: Value): number | undefined => places.get(keyOf(rawOf(value), fields));
  return withListKind(converted, {
    equals: (other) =>
      other.length === raw.length &&
      other.every((value) => {
        const place = placeOf(value);
        return place !== undefined && equals(converted[place] ?? null, value);
      }),
    add: (other) => {
      const all = [...converted];
      for (const value of other) {
        const place = placeOf(value);
        if (place === undefined) all.push(value);
        else all[place] = value;
      }
      return asMap(all.map(rawOf), all, fields);
    },
  });
}

const rawOf = (value: Value): JsonValue => (isBox(value, 'object') ? value.value.raw : null);

/** undefined for what is no object. */
const keyOf = (element: JsonValue, fields: readonly string[]): string | undefined =>
  isJsonObject(element) ? writeJson(fields.map((field) => element[field] ?? null)) : undefined;
