import type { KubernetesObject } from '../../machinery/meta/object.ts';
import type { BuiltinResources } from './generated/kinds.ts';

/** A named type is `core.v1.Pod`; `time` and others are those of apimachinery; `any` is interface{}. */
export type TypeRef =
  | { readonly type: 'scalar'; readonly scalar: Scalar }
  | { readonly type: 'list'; readonly of: TypeRef }
  | { readonly type: 'map'; readonly of: TypeRef }
  | { readonly type: 'named'; readonly name: string };

export type Scalar =
  | 'string'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'float64'
  | 'bytes'
  | 'quantity'
  | 'intstr'
  | 'time'
  | 'microtime'
  | 'duration'
  | 'raw'
  | 'fieldsv1'
  | 'json'
  | 'any';

export interface Field {
  /** '' for an inlined struct. */
  readonly name: string;
  readonly type: TypeRef;
  readonly omitEmpty: boolean;
  readonly omitZero: boolean;
  readonly pointer: boolean;
  /** In OpenAPI only. */
  readonly required: boolean;
  /** 0 when it has none. */
  readonly number: number;
  readonly listType?: string;
  readonly listMapKeys?: readonly string[];
  /** granular or atomic. */
  readonly mapType?: string;
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
  /** The published default, as JSON. */
  readonly default?: string;
  /** Go's type name where `type` lacks it. */
  readonly goType?: string;
}

export type TypeInfo =
  | { readonly is: 'struct'; readonly fields: readonly Field[]; readonly atomic: boolean }
  /** `message`: protobuf wraps the list in a message. */
  | { readonly is: 'alias'; readonly of: TypeRef; readonly values: readonly string[]; readonly message: boolean }
  /** A JSON union of apiextensions/v1; `numbers` are its protobuf fields. */
  | { readonly is: 'union'; readonly numbers: Readonly<Record<string, number>> };

/** The schema inside of a union. */
export const unionSchemaType = 'apiextensions.v1.JSONSchemaProps';

const scalarNames: Readonly<Record<Scalar, string>> = {
  string: 'string',
  bool: 'bool',
  int32: 'int32',
  int64: 'int64',
  float64: 'float64',
  bytes: '[]uint8',
  quantity: 'resource.Quantity',
  intstr: 'intstr.IntOrString',
  time: 'v1.Time',
  microtime: 'v1.MicroTime',
  duration: 'v1.Duration',
  raw: 'runtime.RawExtension',
  fieldsv1: 'v1.FieldsV1',
  json: 'v1.JSON',
  any: 'interface {}',
};

/** As Go's reflection prints it: `[]v1.Container`, `map[string]string`. */
export function formatGoType(type: TypeRef): string {
  if (type.type === 'scalar') return scalarNames[type.scalar];
  if (type.type === 'list') return `[]${formatGoType(type.of)}`;
  if (type.type === 'map') return `map[string]${formatGoType(type.of)}`;
  return type.name.slice(type.name.indexOf('.') + 1);
}

/** `PodSpec` */
export const structName = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

/** KubernetesObject for a resource that is not built in. */
export type ResourceObject<
  Group extends string,
  Resource extends string,
> = `${Group}/${Resource}` extends keyof BuiltinResources ? BuiltinResources[`${Group}/${Resource}`] : KubernetesObject;
