import type { JsonValue } from '../../machinery/json/json.ts';
import { flattenFields, typeMetaFields, publishedDefault, type BuiltinTypes } from '../types/builtin-types.ts';
import type { Field, TypeInfo, TypeRef } from '../types/type-info.ts';

export type ValueType = ScalarType | MapType | ListType | DeducedType;

interface ScalarType {
  readonly is: 'scalar';
  /** `anything`: a RawExtension, always a leaf. */
  readonly scalar: 'string' | 'numeric' | 'boolean' | 'untyped' | 'anything';
}

export interface MapType {
  readonly is: 'map';
  readonly atomic: boolean;
  /** Whether it is a declared field rather than a map key. */
  readonly declares: (name: string) => boolean;
  /** undefined for an undeclared field. */
  readonly field: (name: string) => ValueType | undefined;
  /** The value of a missing field in a list key. */
  readonly keyDefault: (name: string) => JsonValue | undefined;
}

export interface ListType {
  readonly is: 'list';
  readonly relation: 'atomic' | 'set' | 'map';
  /** Sorted merge keys; only with relation map. */
  readonly keys: readonly string[];
  readonly element: () => ValueType;
}

/** Maps are granular, lists atomic. */
interface DeducedType {
  readonly is: 'deduced';
}

export const deduced: ValueType = { is: 'deduced' };

const untyped: ValueType = { is: 'scalar', scalar: 'untyped' };
export type ValueTypeOf = (name: string) => ValueType;

interface ValueTypeContext {
  readonly types: BuiltinTypes;
  readonly named: ValueTypeOf;
}

/** One per release: each write would read the types of its kind again. */
const valueTypes = new WeakMap<BuiltinTypes, ValueTypeOf>();

/** Follows kube-openapi pkg/schemaconv: lists are atomic by default, maps and structs granular. */
export function getValueTypes(types: BuiltinTypes): ValueTypeOf {
  const valueTypeOf = valueTypes.get(types) ?? createValueTypes(types);
  valueTypes.set(types, valueTypeOf);
  return valueTypeOf;
}

function createValueTypes(types: BuiltinTypes): ValueTypeOf {
  const all = new Map<string, ValueType>();
  const context: ValueTypeContext = {
    types,
    named: (name) => {
      const known = all.get(name);
      if (known) return known;
      const info = types.typeInfo(name);
      const type = info ? toStructType(context, name, info) : deduced;
      all.set(name, type);
      return type;
    },
  };
  return context.named;
}

function toStructType(from: ValueTypeContext, name: string, info: TypeInfo): ValueType {
  if (info.is === 'alias') return toValueType(from, info.of, {});
  if (info.is === 'union') return deduced;
  const fields = new Map(flattenFields(from.types, name).map((field) => [field.name, field]));
  if (from.types.hasTypeMeta(name)) for (const meta of typeMetaFields) fields.set(meta.name, meta);
  const types = new Map<string, ValueType>();
  return {
    is: 'map',
    atomic: info.atomic,
    declares: (fieldName) => fields.has(fieldName),
    field: (fieldName) => {
      const known = types.get(fieldName);
      if (known) return known;
      const field = fields.get(fieldName);
      if (!field) return undefined;
      const type = toValueType(from, field.type, field);
      types.set(fieldName, type);
      return type;
    },
    keyDefault: (fieldName) => {
      const field = fields.get(fieldName);
      return field && publishedDefault(from.types, field);
    },
  };
}

type Markers = Pick<Field, never> & Partial<Pick<Field, 'listType' | 'listMapKeys' | 'mapType'>>;

function toValueType(from: ValueTypeContext, type: TypeRef, markers: Markers): ValueType {
  switch (type.type) {
    case 'scalar':
      return scalarTypes[type.scalar];
    case 'list':
      return toListType(from, type.of, markers);
    case 'map':
      return toMapType(from, type.of, markers.mapType === 'atomic');
    case 'named':
      return toNamedType(from, type.name, markers);
  }
}

/** Markers on a field override those of its type. */
function toNamedType(from: ValueTypeContext, name: string, markers: Markers): ValueType {
  const info = from.types.typeInfo(name);
  if (info?.is === 'alias') return toValueType(from, info.of, markers);
  const type = from.named(name);
  return markers.mapType !== undefined && type.is === 'map' ? { ...type, atomic: markers.mapType === 'atomic' } : type;
}

function toListType(from: ValueTypeContext, of: TypeRef, { listType, listMapKeys }: Markers): ListType {
  const relation = listType === 'map' || listType === 'set' ? listType : 'atomic';
  const keys = (listMapKeys ?? []).toSorted();
  let element: ValueType | undefined;
  return { is: 'list', relation, keys, element: () => (element ??= toValueType(from, of, {})) };
}

function toMapType(from: ValueTypeContext, of: TypeRef, atomic: boolean): MapType {
  let element: ValueType | undefined;
  const field = (): ValueType => (element ??= toValueType(from, of, {}));
  return { is: 'map', atomic, declares: () => false, field, keyDefault: () => undefined };
}

const stringType: ValueType = { is: 'scalar', scalar: 'string' };
const numericType: ValueType = { is: 'scalar', scalar: 'numeric' };

const untypedMap: ValueType = {
  is: 'map',
  atomic: false,
  declares: () => false,
  field: () => deduced,
  keyDefault: () => undefined,
};

export const deducedMapType: MapType = untypedMap;

const scalarTypes = {
  string: stringType,
  bool: { is: 'scalar', scalar: 'boolean' },
  int32: numericType,
  int64: numericType,
  float64: numericType,
  bytes: stringType,
  quantity: untyped,
  intstr: deduced,
  time: untyped,
  microtime: untyped,
  duration: stringType,
  raw: { is: 'scalar', scalar: 'anything' },
  fieldsv1: untypedMap,
  json: deduced,
  any: deduced,
} as const satisfies Record<string, ValueType>;
