import { base64Bytes } from '../../machinery/go/base64-bytes.ts';
import { writeJson } from '../../machinery/json/json-writer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import { equals } from '../value/compare.ts';
import {
  Box,
  box,
  CelError,
  type CelResult,
  double,
  isBox,
  isCelList,
  isInt,
  isMap,
  type Value,
  markListKind,
} from '../value/value.ts';
import type { MapEntry } from '../value/map-key.ts';
import { readStrfmtDuration, createDuration, readTimestamp, createTimestamp } from '../value/time.ts';
import { escapeName } from './rule-scope.ts';
import { type RuleSchema, withResourceMeta } from './rule-schema.ts';
import { toTypedObject } from './typed-object.ts';

/**
 * A value as a schema declares it: numbers are doubles, formatted strings have the type of their format, objects hide
 * unknown fields. Fields are converted when expressions read them. Follows apiserver pkg/cel/common/values.go.
 */
export function toTypedValue(value: JsonValue, schema: RuleSchema): CelResult {
  if (value === null)
    return schema.nullable ? null : new CelError('invalid data, got null for schema with nullable=false');
  if (schema.intOrString) return toIntOrString(value);
  switch (schema.type) {
    case 'object':
      return isJsonObject(value)
        ? toObjectOrMap(value, schema)
        : mismatch('a map for the provided schema with type=object');
    case 'array':
      return toTypedArray(value, schema);
    default:
      return toScalar(value, schema);
  }
}

function toScalar(value: JsonValue, { type, format }: RuleSchema): CelResult {
  switch (type) {
    case 'string':
      return typeof value === 'string' ? parseFormattedText(value, format) : mismatch(`string, got ${goType(value)}`);
    case 'number':
      return isNumber(value) ? double(Number(value)) : mismatch(`float, got ${goType(value)}`);
    case 'integer':
      return isInt(value) ? value : mismatch(`int, got ${goType(value)}`);
    case 'boolean':
      return typeof value === 'boolean' ? value : mismatch(`bool, got ${goType(value)}`);
    default:
      return new CelError(`${unknownType} ${type}`);
  }
}

const unknownType =
  'invalid type, expected object, array, number, integer, boolean or string, or no type with x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got';

const isNumber = (value: JsonValue): boolean => typeof value === 'number' || typeof value === 'bigint';

const mismatch = (expected: string): CelError => new CelError(`invalid data, expected ${expected}`);

/** The names that Go prints for JSON types. */
function goType(value: JsonValue): string {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (isInt(value)) return 'int64';
  if (typeof value === 'number') return 'float64';
  return isCelList(value) ? '[]interface {}' : 'map[string]interface {}';
}

const toIntOrString = (value: JsonValue): CelResult =>
  typeof value === 'string' || isInt(value) ? value : mismatch('XIntOrString value to be either a string or integer');

function toObjectOrMap(value: JsonObject, schema: RuleSchema): CelResult {
  const whole = schema.embedded ? withResourceMeta(schema) : schema;
  if (whole.properties !== undefined) return toTypedObject(value, whole.properties, toTypedValue);
  if (whole.additional !== undefined) return toMap(value, whole.additional);
  // Expressions see no field of an object without properties.
  return toTypedObject(value, new Map(), toTypedValue);
}

/** A map whose values need no conversion is used as it is. */
function toMap(value: JsonObject, additional: RuleSchema): CelResult {
  if (isPlain(additional)) return value;
  const entries = new Map<string, MapEntry>();
  for (const key of Object.keys(value)) {
    const converted = toTypedValue(value[key] ?? null, additional);
    if (converted instanceof CelError) return converted;
    entries.set(key, [key, converted]);
  }
  return box('map', entries);
}

const isPlain = ({ type, format, nullable, intOrString: either }: RuleSchema): boolean =>
  !nullable && !either && ((type === 'string' && format === '') || type === 'integer' || type === 'boolean');

function toTypedArray(value: JsonValue, schema: RuleSchema): CelResult {
  if (!isCelList(value)) return mismatch('an array for the provided schema with type=array');
  const { items } = schema;
  if (items === undefined) return new CelError('invalid array type, expected Items with a non-empty Schema');
  if (isPlain(items)) return toTypedList(value, [...value], schema);
  const converted: Value[] = [];
  for (const raw of value) {
    const element = toTypedValue(raw, items);
    if (element instanceof CelError) return element;
    converted.push(element);
  }
  return toTypedList(value, converted, schema);
}

/** An optional value, such as `oldSelf` of a rule with optionalOldSelf. */
export function toOptional(value: CelResult | undefined): CelResult {
  return value instanceof CelError ? value : box('optional', value);
}

/** A string as its format makes it: a duration, a timestamp, bytes. Follows apiserver pkg/cel/common/values.go. */
function parseFormattedText(text: string, format: string): CelResult {
  switch (format) {
    case 'duration':
      return convertOrError(
        readStrfmtDuration(text),
        createDuration,
        `Invalid duration ${text}: unable to parse ${text} as duration`,
      );
    case 'date':
      return convertOrError(readDate(text), createTimestamp, `Invalid date formatted string ${text}`);
    case 'date-time':
      return convertOrError(readDateTime(text), createTimestamp, `Invalid date-time formatted string ${text}`);
    case 'byte':
      return parseBytes(text) ?? new CelError(`Invalid byte formatted string ${text}`);
    default:
      return text;
  }
}

const convertOrError = (
  nanoseconds: bigint | undefined,
  make: (nanoseconds: bigint) => CelResult,
  error: string,
): CelResult => (nanoseconds === undefined ? new CelError(error) : make(nanoseconds));

const readDate = (text: string): bigint | undefined =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) ? readTimestamp(`${text}T00:00:00Z`) : undefined;

/** Also without a zone, which then is UTC, and with one that has no colon. */
function readDateTime(text: string): bigint | undefined {
  if (text === '') return 0n;
  const withColon = text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2');
  return readTimestamp(withColon) ?? readTimestamp(`${text}Z`);
}

function parseBytes(text: string): Uint8Array | undefined {
  try {
    return base64Bytes(text);
  } catch {
    return undefined;
  }
}

/**
 * A list with the equality and addition of its schema: sets ignore the order, maps compare by key. Follows apiserver
 * pkg/cel/common/values.go.
 */
function toTypedList(
  raw: readonly JsonValue[],
  converted: readonly Value[],
  { listType, mapKeys }: RuleSchema,
): readonly Value[] {
  if (listType === 'set') return asSet(converted);
  return listType === 'map' ? asMap(raw, converted, mapKeys.map(keyField)) : converted;
}

const keyField = (name: string): string => escapeName(name) ?? name;

function asSet(elements: readonly Value[]): readonly Value[] {
  const members = new Set(elements.map(setMemberKey));
  return markListKind(elements, {
    operandError: (other) => ([...elements, ...other].every(isScalar) ? undefined : onlyScalars),
    equals: (other) => other.length === elements.length && sameMembers(members, new Set(other.map(setMemberKey))),
    add: (other) => {
      const all = new Set(members);
      const added = other.filter((value) => {
        const isNew = !all.has(setMemberKey(value));
        all.add(setMemberKey(value));
        return isNew;
      });
      return asSet([...elements, ...added]);
    },
  });
}

const onlyScalars = new CelError('listSet operations are only supported on lists of scalar values');

const isScalar = (value: Value): boolean => !isCelList(value) && !isMap(value);

const sameMembers = (a: ReadonlySet<unknown>, b: ReadonlySet<unknown>): boolean =>
  a.size === b.size && [...a].every((member) => b.has(member));

/** The same for equal scalars of one type; times and durations have boxes. */
function setMemberKey(value: Value): unknown {
  if (value instanceof Uint8Array) return `bytes ${value.join(' ')}`;
  return value instanceof Box && typeof value.value === 'bigint' ? `${value.kind} ${value.value}` : value;
}

function asMap(raw: readonly JsonValue[], converted: readonly Value[], fields: readonly string[]): readonly Value[] {
  const places = new Map(raw.map((element, index) => [elementKey(element, fields), index]));
  const placeOf = (value: Value): number | undefined => places.get(elementKey(rawJson(value), fields));
  return markListKind(converted, {
    operandError: () => undefined,
    equals: (other) =>
      other.length === raw.length &&
      new Set(other.map((value) => placeOf(value))).size === places.size &&
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
      return asMap(all.map(rawJson), all, fields);
    },
  });
}

const rawJson = (value: Value): JsonValue => (isBox(value, 'object') ? value.value.raw : null);

/** undefined for other values. */
const elementKey = (element: JsonValue, fields: readonly string[]): string | undefined =>
  isJsonObject(element) ? writeJson(fields.map((field) => element[field] ?? null)) : undefined;
