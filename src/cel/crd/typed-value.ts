import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';
import { isJsonObject } from '../../machinery/json/json.ts';
import type { MapEntry } from '../value/map-key.ts';
import { box, CelError, double, isInt, isList } from '../value/value.ts';
import type { Result, Value } from '../value/value.ts';
import type { RuleSchema } from './rule-schema.ts';
import { withResourceMeta } from './rule-schema.ts';
import { typedList } from './typed-list.ts';
import { typedObject } from './typed-object.ts';
import { typedText } from './typed-text.ts';

/**
 * A value as a schema declares it: numbers are doubles, formatted strings are what they stand for, objects hide what
 * the schema does not know. Objects are converted field by field, as expressions ask for them.
 * Follows apiserver pkg/cel/common/values.go.
 */
export function typedValue(value: JsonValue, schema: RuleSchema): Result {
  if (value === null)
    return schema.nullable ? null : new CelError('invalid data, got null for schema with nullable=false');
  if (schema.intOrString) return intOrString(value);
  switch (schema.type) {
    case 'object':
      return isJsonObject(value)
        ? objectOrMap(value, schema)
        : mismatch('a map for the provided schema with type=object');
    case 'array':
      return arrayOf(value, schema);
    default:
      return scalarOf(value, schema);
  }
}

function scalarOf(value: JsonValue, { type, format }: RuleSchema): Result {
  switch (type) {
    case 'string':
      return typeof value === 'string' ? typedText(value, format) : mismatch(`string, got ${goType(value)}`);
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

/** The names that Go prints for what JSON holds. */
function goType(value: JsonValue): string {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (isInt(value)) return 'int64';
  if (typeof value === 'number') return 'float64';
  return isList(value) ? '[]interface {}' : 'map[string]interface {}';
}

const intOrString = (value: JsonValue): Result =>
  typeof value === 'string' || isInt(value) ? value : mismatch('XIntOrString value to be either a string or integer');

function objectOrMap(value: JsonObject, schema: RuleSchema): Result {
  const whole = schema.embedded ? withResourceMeta(schema) : schema;
  if (whole.properties !== undefined) return typedObject(value, whole.properties, typedValue);
  if (whole.additional !== undefined) return mapWith(value, whole.additional);
  // Of an object without properties expressions see no field, whatever else it may hold.
  return typedObject(value, new Map(), typedValue);
}

/** A map whose values need no conversion is used as it is. */
function mapWith(value: JsonObject, additional: RuleSchema): Result {
  if (isPlain(additional)) return value;
  const entries = new Map<string, MapEntry>();
  for (const key of Object.keys(value)) {
    const converted = typedValue(value[key] ?? null, additional);
    if (converted instanceof CelError) return converted;
    entries.set(key, [key, converted]);
  }
  return box('map', entries);
}

const isPlain = ({ type, format, nullable, intOrString: either }: RuleSchema): boolean =>
  !nullable && !either && ((type === 'string' && format === '') || type === 'integer' || type === 'boolean');

function arrayOf(value: JsonValue, schema: RuleSchema): Result {
  if (!isList(value)) return mismatch('an array for the provided schema with type=array');
  const { items } = schema;
  if (items === undefined) return new CelError('invalid array type, expected Items with a non-empty Schema');
  if (isPlain(items)) return typedList(value, [...value], schema);
  const converted: Value[] = [];
  for (const raw of value) {
    const element = typedValue(raw, items);
    if (element instanceof CelError) return element;
    converted.push(element);
  }
  return typedList(value, converted, schema);
}

/** A value that is there or not, as `oldSelf` of a rule that asks for an optional one. */
export function optionalValue(value: Result | undefined): Result {
  return value instanceof CelError ? value : box('optional', value);
}
