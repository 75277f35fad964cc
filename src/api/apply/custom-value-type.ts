import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../machinery/json/json.ts';
import { defaultRelease } from '../release/load-release.ts';
import { deduced, valueTypesOf, type ListType, type MapType, type ValueType } from './value-type.ts';

/**
 * The type of a custom resource with a structural schema. Follows apiextensions-apiserver
 * pkg/controller/openapi/builder/builder.go and kube-openapi pkg/schemaconv/openapi.go.
 */
export function customValueType(schema: JsonObject): ValueType {
  return withMeta(objectType(schema, false));
}

/** The schema of kind, apiVersion and metadata is ignored. */
function withMeta(type: MapType): MapType {
  const string: ValueType = { is: 'scalar', scalar: 'string' };
  const meta = new Map<string, ValueType>([
    ['apiVersion', string],
    ['kind', string],
    ['metadata', valueTypesOf(defaultRelease.types)('meta.v1.ObjectMeta')],
  ]);
  return {
    ...type,
    declares: (name) => meta.has(name) || type.declares(name),
    field: (name) => meta.get(name) ?? type.field(name),
  };
}

/** `keeps`: an outer schema preserves unknown fields, which applies to everything inside. */
function typeOf(schema: JsonObject, keeps: boolean): ValueType {
  switch (asString(schema['type'])) {
    case 'object': {
      const type = objectType(schema, keeps);
      return schema['x-kubernetes-embedded-resource'] === true ? withMeta(type) : type;
    }
    case 'array':
      return listType(schema, keeps);
    case 'string':
      return { is: 'scalar', scalar: plainFormats.has(asString(schema['format'])) ? 'string' : 'untyped' };
    case 'boolean':
      return { is: 'scalar', scalar: 'boolean' };
    case 'integer':
    case 'number':
      return { is: 'scalar', scalar: 'numeric' };
    default:
      return deduced;
  }
}

const plainFormats: ReadonlySet<string> = new Set(['', 'byte']);

const keepsUnknown = (schema: JsonObject, around: boolean): boolean =>
  around || schema['x-kubernetes-preserve-unknown-fields'] === true;

function objectType(schema: JsonObject, around: boolean): MapType {
  const keeps = keepsUnknown(schema, around);
  const properties = asObject(schema['properties']);
  const types = new Map<string, ValueType>();
  const others = otherFields(schema, keeps, Object.keys(properties).length > 0);
  return {
    is: 'map',
    atomic: schema['x-kubernetes-map-type'] === 'atomic',
    declares: (name) => Object.hasOwn(properties, name),
    field: (name) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (!isJsonObject(property)) return others;
      const type = types.get(name) ?? typeOf(property, keeps);
      types.set(name, type);
      return type;
    },
    keyDefault: (name) => asObject(Object.hasOwn(properties, name) ? properties[name] : undefined)['default'],
  };
}

/** undefined: no other fields are allowed. */
function otherFields(schema: JsonObject, keeps: boolean, hasProperties: boolean): ValueType | undefined {
  const { additionalProperties } = schema;
  if (isJsonObject(additionalProperties)) return typeOf(additionalProperties, keeps);
  if (typeof additionalProperties === 'boolean') return additionalProperties ? deduced : undefined;
  return hasProperties && !keeps ? undefined : deduced;
}

function listType(schema: JsonObject, around: boolean): ListType {
  const declared = schema['x-kubernetes-list-type'];
  const keys: readonly JsonValue[] = asList(schema['x-kubernetes-list-map-keys']);
  const element = typeOf(asObject(schema['items']), keepsUnknown(schema, around));
  return {
    is: 'list',
    relation: declared === 'map' || declared === 'set' ? declared : 'atomic',
    keys: keys.map((key) => asString(key)).toSorted(),
    element: () => element,
  };
}
