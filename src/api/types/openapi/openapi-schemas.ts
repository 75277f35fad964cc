import type { JsonObject, JsonValue } from '../../../machinery/json/json.ts';
import { flattenFields, publishedDefault, zeroValue, type BuiltinTypes } from '../builtin-types.ts';
import type { Field, Scalar, TypeInfo, TypeRef } from '../type-info.ts';

/** `io.k8s.api.core.v1.Pod`. Follows k8s.io/kube-openapi pkg/util. */
export function toSchemaName(type: string): string {
  const [, prefix] = prefixes.find(([start]) => type.startsWith(start)) ?? ['', 'io.k8s.api.'];
  return prefix + type;
}

export const createSchemaRef = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/** The schemas of these types and of all types they contain, by name. */
export function createSchemas(types: BuiltinTypes, names: readonly string[]): JsonObject {
  const schemas = new Map<string, JsonObject>();
  const open = [...names];
  for (let type = open.pop(); type !== undefined; type = open.pop()) {
    const name = findNamedScalar(type) === undefined ? toSchemaName(type) : type;
    if (schemas.has(name)) continue;
    schemas.set(name, createSchema(types, type));
    open.push(...flattenFields(types, type).flatMap((field) => collectNamedTypes(types, field.type)));
  }
  return Object.fromEntries([...schemas].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const prefixes: readonly (readonly [string, string])[] = [
  ['meta.', 'io.k8s.apimachinery.pkg.apis.'],
  ['apiextensions.', 'io.k8s.apiextensions-apiserver.pkg.apis.'],
  ['apiregistration.', 'io.k8s.kube-aggregator.pkg.apis.'],
];

const dateTime: JsonObject = { type: 'string', format: 'date-time' };

/** Scalars published as named schemas. */
const namedScalars: ReadonlyMap<string, readonly [Scalar, JsonObject]> = new Map([
  ['io.k8s.apimachinery.pkg.api.resource.Quantity', ['quantity', { oneOf: [{ type: 'string' }, { type: 'number' }] }]],
  ['io.k8s.apimachinery.pkg.apis.meta.v1.Time', ['time', dateTime]],
  ['io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime', ['microtime', dateTime]],
  ['io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1', ['fieldsv1', { type: 'object' }]],
  ['io.k8s.apimachinery.pkg.runtime.RawExtension', ['raw', { type: 'object' }]],
  [
    'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
    ['intstr', { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] }],
  ],
  ['io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON', ['json', {}]],
]);
const scalarNames: ReadonlyMap<Scalar, string> = new Map([...namedScalars].map(([name, [scalar]]) => [scalar, name]));
const findNamedScalar = (name: string): Scalar | undefined => namedScalars.get(name)?.[0];

const plainScalars: Readonly<Partial<Record<Scalar, JsonObject>>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  float64: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
  duration: { type: 'string' },
};

function createSchema(types: BuiltinTypes, type: string): JsonObject {
  const scalar = namedScalars.get(type);
  if (scalar !== undefined) return scalar[1];
  const info = types.typeInfo(type);
  return info?.is === 'struct' ? createStructSchema(types, type, info) : {};
}

function createStructSchema(types: BuiltinTypes, type: string, info: TypeInfo & { is: 'struct' }): JsonObject {
  const fields = flattenFields(types, type);
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  const typeMeta = types.hasTypeMeta(type) ? { kind: { type: 'string' }, apiVersion: { type: 'string' } } : {};
  const properties = {
    ...typeMeta,
    ...Object.fromEntries(fields.map((field) => [field.name, createProperty(types, field)])),
  };
  const kinds = listKinds(types, type);
  return {
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    ...(Object.keys(properties).length === 0 ? {} : { properties: sortByName(properties) }),
    ...(kinds.length === 0 ? {} : { 'x-kubernetes-group-version-kind': kinds }),
    ...(info.atomic ? { 'x-kubernetes-map-type': 'atomic' } : {}),
  };
}

const sortByName = (record: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));

function createProperty(types: BuiltinTypes, field: Field): JsonObject {
  const marks: readonly (readonly [string, string | readonly string[] | undefined])[] = [
    ['x-kubernetes-list-map-keys', field.listMapKeys],
    ['x-kubernetes-list-type', field.listType],
    ['x-kubernetes-map-type', field.mapType],
    ['x-kubernetes-patch-merge-key', field.patchMergeKey],
    ['x-kubernetes-patch-strategy', field.patchStrategy],
  ];
  return {
    ...createValueSchema(types, field.type, true),
    ...createDefault(publishedDefault(types, field)),
    ...Object.fromEntries(marks.filter(([, value]) => value !== undefined)),
  };
}

const createDefault = (value: JsonValue | undefined): JsonObject => (value === undefined ? {} : { default: value });

function createItemSchema(types: BuiltinTypes, type: TypeRef): JsonObject {
  const implied = zeroValue(types, type);
  return { ...createValueSchema(types, type, implied !== undefined), ...createDefault(implied) };
}

/** A reference that may have siblings is wrapped in allOf. */
function createValueSchema(types: BuiltinTypes, type: TypeRef, isProperty: boolean): JsonObject {
  if (type.type === 'list') return { type: 'array', items: createItemSchema(types, type.of) };
  if (type.type === 'map') return { type: 'object', additionalProperties: createItemSchema(types, type.of) };
  if (type.type === 'scalar') {
    const name = scalarNames.get(type.scalar);
    return name === undefined ? (plainScalars[type.scalar] ?? {}) : createReference(name, isProperty);
  }
  const info = types.typeInfo(type.name);
  if (info?.is !== 'alias') return createReference(toSchemaName(type.name), isProperty);
  return {
    ...createValueSchema(types, info.of, isProperty),
    ...(info.values.length === 0 ? {} : { enum: info.values }),
  };
}

const createReference = (name: string, isProperty: boolean): JsonObject =>
  isProperty ? { allOf: [createSchemaRef(name)] } : createSchemaRef(name);

function collectNamedTypes(types: BuiltinTypes, type: TypeRef): readonly string[] {
  if (type.type === 'list' || type.type === 'map') return collectNamedTypes(types, type.of);
  if (type.type === 'scalar') return [scalarNames.get(type.scalar)].filter((name) => name !== undefined);
  const info = types.typeInfo(type.name);
  return info?.is === 'alias' ? collectNamedTypes(types, info.of) : [type.name];
}

function listKinds(types: BuiltinTypes, type: string): readonly JsonObject[] {
  const served = [...types.kinds].filter(([, each]) => each === type).map(([key]) => key);
  const unversioned = type === 'meta.v1.DeleteOptions' || type === 'meta.v1.Status';
  const keys = unversioned ? [`v1/${type.slice('meta.v1.'.length)}`] : served;
  return keys.map((key) => {
    const parts = key.split('/');
    const [kind = '', version = '', group = ''] = parts.toReversed();
    return { group, kind, version };
  });
}
