import { sameJson } from '../../machinery/json/json-equal.ts';
import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';
import { equals } from '../value/compare.ts';
import { lookup, mapSize } from '../value/map-key.ts';
import { box, CelError, isBox, isMap, type CelResult, type TypedObject, type Value } from '../value/value.ts';
import { escapeName, escapedNames } from './rule-scope.ts';
import type { RuleSchema } from './rule-schema.ts';

type Convert = (value: JsonValue, schema: RuleSchema) => CelResult;

/** Properties by the names that expressions use, computed once per schema. */
interface Names {
  readonly byEscaped: ReadonlyMap<string, string>;
  readonly byName: ReadonlyMap<string, string>;
}

/** Once per schema: a rule over a list whose items have hundreds of properties would take seconds. */
const names = new WeakMap<ReadonlyMap<string, RuleSchema>, Names>();

function fieldNames(properties: ReadonlyMap<string, RuleSchema>): Names {
  const cached = names.get(properties);
  if (cached !== undefined) return cached;
  const pairs = [...properties.keys()].map((name): readonly [string, string] => [name, escapeName(name) ?? name]);
  const expressed = [...properties.keys()].flatMap((name) => escapedNames(name).map((field) => [field, name] as const));
  const computed = { byName: new Map(pairs), byEscaped: new Map(expressed) };
  names.set(properties, computed);
  return computed;
}

/** An object of a schema with properties; a field that is null counts as absent. */
export function toTypedObject(raw: JsonObject, properties: ReadonlyMap<string, RuleSchema>, convert: Convert): Value {
  const { byEscaped, byName } = fieldNames(properties);
  const converted = new Map<string, CelResult>();
  const read = (name: string): CelResult | undefined => {
    const schema = properties.get(name);
    const value = Object.hasOwn(raw, name) ? raw[name] : undefined;
    if (schema === undefined || value === undefined || value === null) return undefined;
    const fieldValue = converted.get(name) ?? convert(value, schema);
    converted.set(name, fieldValue);
    return fieldValue;
  };
  const presentFields = (): readonly string[] => Object.keys(raw).filter((name) => properties.has(name));
  const object: TypedObject = {
    find: (field) => read(byEscaped.get(field) ?? ''),
    fields: () => presentFields().map((name) => byName.get(name) ?? name),
    size: Object.keys(raw).length,
    equals: (other) => isMap(other) && sameObject({ raw, properties, convert }, other),
    raw,
  };
  return box('object', object);
}

interface Typed {
  readonly raw: JsonObject;
  readonly properties: ReadonlyMap<string, RuleSchema>;
  readonly convert: Convert;
}

/**
 * Known fields by their types, unknown ones by their JSON. One that is null is as one that is not there.
 * Follows apiserver pkg/cel/common/valuesunstructured.go.
 */
function sameObject({ raw, properties, convert }: Typed, other: Parameters<typeof mapSize>[0]): boolean {
  const fields = Object.keys(raw);
  if (fields.length !== mapSize(other)) return false;
  const others = isBox(other, 'object') ? other.value.raw : undefined;
  return fields.every((name) => {
    const value = raw[name];
    const schema = properties.get(name);
    if (schema === undefined || isOpaque(schema)) return sameUnknown(value, others, name);
    const otherValue = lookup(other, escapeName(name) ?? name);
    if (value === undefined || value === null) return otherValue === undefined;
    if (otherValue === undefined) return false;
    const ownValue = convert(value, schema);
    return !(ownValue instanceof CelError) && equals(ownValue, otherValue);
  });
}

const isOpaque = ({ type, intOrString, preserveUnknown }: RuleSchema): boolean =>
  type === '' && !intOrString && preserveUnknown;

const sameUnknown = (value: JsonValue | undefined, others: JsonObject | undefined, name: string): boolean =>
  others === undefined || !Object.hasOwn(others, name) || sameJson(value, others[name]);
