/**
 * The type of a value: what JSON and Go make of it. A named type is `core.v1.Pod`; `time` and the like are those of
 * apimachinery; `any` is interface{}.
 */
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

/** A field of a struct, as Go declares it. */
export interface Field {
  /** Its JSON name; '' when it is inlined. */
  readonly name: string;
  readonly type: TypeRef;
  readonly omitEmpty: boolean;
  readonly omitZero: boolean;
  readonly pointer: boolean;
  /** As OpenAPI publishes it; decoding never asks. */
  readonly required: boolean;
  /** The protobuf field number; 0 when it has none. */
  readonly number: number;
  readonly listType?: string;
  readonly listMapKeys?: readonly string[];
  /** granular or atomic. */
  readonly mapType?: string;
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
  /** The published default, as JSON. */
  readonly default?: string;
  /** Go's name of the type where `type` does not tell. */
  readonly goType?: string;
}

export type TypeInfo =
  | { readonly is: 'struct'; readonly fields: readonly Field[]; readonly atomic: boolean }
  /** Another name of `of`; `message` when protobuf wraps the list in a message. */
  | { readonly is: 'alias'; readonly of: TypeRef; readonly values: readonly string[]; readonly message: boolean }
  /** One of three JSON unions of apiextensions/v1; `numbers` are their protobuf fields. */
  | { readonly is: 'union'; readonly numbers: Readonly<Record<string, number>> };
