import { asList, asObject, asString, isJsonObject } from '../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../apimachinery/json.ts';
import { currentRelease } from '../schema/release/current-release.ts';
import { deduced, valueTypesOf } from './value-type.ts';
import type { ListType, MapType, ValueType } from './value-type.ts';

/**
 * The type of a custom resource with a structural schema. Follows apiextensions-apiserver
 * pkg/controller/openapi/builder/builder.go and kube-openapi pkg/schemaconv/openapi.go.
 */
export function customValueType(schema: JsonObject): ValueType {
  return withMeta(objectType(schema));
}

/** An object with its own kind, apiVersion and metadata, whatever the schema says about them. */
function withMeta(type: MapType): MapType {
  const string: ValueType = { is: 'scalar', scalar: 'string' };
  const meta = new Map<string, ValueType>([
    ['apiVersion', string],
    ['kind', string],
    ['metadata', valueTypesOf(currentRelease.types)('meta.v1.ObjectMeta')],
  ]);
  return {
    ...type,
    declares: (name) => meta.has(name) || type.declares(name),
    field: (name) => meta.get(name) ?? type.field(name),
  };
}

function typeOf(schema: JsonObject): ValueType {
  if (schema['x-kubernetes-int-or-string'] === true) return { is: 'scalar', scalar: 'untyped' };
  switch (asString(schema['type'])) {
    case 'object':
      return schema['x-kubernetes-embedded-resource'] === true ? withMeta(objectType(schema)) : objectType(schema);
    case 'array':
      return listType(schema);
    case 'string':
      return { is: 'scalar', scalar: 'string' };
    case 'boolean':
      return { is: 'scalar', scalar: 'boolean' };
    case 'integer':
    case 'number':
      return { is: 'scalar', scalar: 'numeric' };
    default:
      return deduced;
  }
}

function objectType(schema: JsonObject): MapType {
  const properties = asObject(schema['properties']);
  const types = new Map<string, ValueType>();
  const others = otherFields(schema, Object.keys(properties).length > 0);
  return {
    is: 'map',
    atomic: schema['x-kubernetes-map-type'] === 'atomic',
    declares: (name) => Object.hasOwn(properties, name),
    field: (name) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (!isJsonObject(property)) return others;
      const type = types.get(name) ?? typeOf(property);
      types.set(name, type);
      return type;
    },
    keyDefault: (name) => asObject(Object.hasOwn(properties, name) ? properties[name] : undefined)['default'],
  };
}

/** The type of fields without a schema of their own; undefined when there may be none. */
function otherFields(schema: JsonObject, hasProperties: boolean): ValueType | undefined {
  if (isJsonObject(schema['additionalProperties'])) return typeOf(schema['additionalProperties']);
  return hasProperties && schema['x-kubernetes-preserve-unknown-fields'] !== true ? undefined : deduced;
}

function listType(schema: JsonObject): ListType {
  const declared = schema['x-kubernetes-list-type'];
  const keys: readonly JsonValue[] = asList(schema['x-kubernetes-list-map-keys']);
  const element = typeOf(asObject(schema['items']));
  return {
    is: 'list',
    relation: declared === 'map' || declared === 'set' ? declared : 'atomic',
    keys: keys.map((key) => asString(key)).toSorted(),
    element: () => element,
  };
}
