import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../machinery/json/json.ts';
import { defaultRelease } from '../release/load-release.ts';
import { deduced, getValueTypes, type ListType, type MapType, type ValueType } from './value-type.ts';

/**
 * The type of a custom resource with a structural schema. Follows apiextensions-apiserver
 * pkg/controller/openapi/builder/builder.go and kube-openapi pkg/schemaconv/openapi.go.
 */
export function createCustomValueType(schema: JsonObject): ValueType {
  return withMetadataType(toMapType(schema, false));
}

/** The schema of kind, apiVersion and metadata is ignored. */
function withMetadataType(type: MapType): MapType {
  const string: ValueType = { is: 'scalar', scalar: 'string' };
  const meta = new Map<string, ValueType>([
    ['apiVersion', string],
    ['kind', string],
    ['metadata', getValueTypes(defaultRelease.types)('meta.v1.ObjectMeta')],
  ]);
  return {
    ...type,
    declares: (name) => meta.has(name) || type.declares(name),
    field: (name) => meta.get(name) ?? type.field(name),
  };
}

/** `preserves`: an outer schema preserves unknown fields, which applies to everything inside. */
function toValueType(schema: JsonObject, preserves: boolean): ValueType {
  switch (asString(schema['type'])) {
    case 'object': {
      const type = toMapType(schema, preserves);
      return schema['x-kubernetes-embedded-resource'] === true ? withMetadataType(type) : type;
    }
    case 'array':
      return toListType(schema, preserves);
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

const preservesUnknownFields = (schema: JsonObject, outerPreserves: boolean): boolean =>
  outerPreserves || schema['x-kubernetes-preserve-unknown-fields'] === true;

function toMapType(schema: JsonObject, outerPreserves: boolean): MapType {
  const preserves = preservesUnknownFields(schema, outerPreserves);
  const properties = asObject(schema['properties']);
  const types = new Map<string, ValueType>();
  const additional = toAdditionalType(schema, preserves, Object.keys(properties).length > 0);
  return {
    is: 'map',
    atomic: schema['x-kubernetes-map-type'] === 'atomic',
    declares: (name) => Object.hasOwn(properties, name),
    field: (name) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (!isJsonObject(property)) return additional;
      const type = types.get(name) ?? toValueType(property, preserves);
      types.set(name, type);
      return type;
    },
    keyDefault: (name) => asObject(Object.hasOwn(properties, name) ? properties[name] : undefined)['default'],
  };
}

/** undefined: no other fields are allowed. */
function toAdditionalType(schema: JsonObject, preserves: boolean, hasProperties: boolean): ValueType | undefined {
  const { additionalProperties } = schema;
  if (isJsonObject(additionalProperties)) return toValueType(additionalProperties, preserves);
  if (typeof additionalProperties === 'boolean') return additionalProperties ? deduced : undefined;
  return hasProperties && !preserves ? undefined : deduced;
}

function toListType(schema: JsonObject, outerPreserves: boolean): ListType {
  const declared = schema['x-kubernetes-list-type'];
  const keys: readonly JsonValue[] = asList(schema['x-kubernetes-list-map-keys']);
  const element = toValueType(asObject(schema['items']), preservesUnknownFields(schema, outerPreserves));
  return {
    is: 'list',
    relation: declared === 'map' || declared === 'set' ? declared : 'atomic',
    keys: keys.map((key) => asString(key)).toSorted(),
    element: () => element,
  };
}
