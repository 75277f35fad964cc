import { compareTexts } from '../../../machinery/go/strings.ts';
import { goTypeOf } from '../../../machinery/go/go-print.ts';
import { goNumber } from '../../../machinery/json/json-reader.ts';
import {
  JsonNumber,
  isList,
  setOwn,
  type JsonDocument,
  isDocumentObject,
  type DocumentObject,
} from '../../../machinery/json/json.ts';
import { gvkText, type GroupVersionKind } from '../../../machinery/meta/gvk.ts';
import { mapFields } from '../../../machinery/meta/object.ts';
import { flattenFields, type BuiltinTypes } from '../../types/builtin-types.ts';
import { formatGoType as goNameOf, type Field, type Scalar, type TypeRef } from '../../types/type-info.ts';
import type { Codec } from '../codec.ts';
import type { Decoded } from '../decode.ts';
import { scalarReaders } from '../read-scalar.ts';

/** Decodes the result of a merge from maps. Follows apimachinery pkg/runtime/converter.go FromUnstructured. */
export function decodeRestored(codec: Codec, document: JsonDocument, kind: GroupVersionKind): Decoded {
  const name = codec.types.typeOfKind(kind);
  if (name === undefined) return codec.decodeValue(document, kind);
  const restored = restoreFromMaps(codec.types, document, name);
  if (restored.outcome === 'unrestorable') return { outcome: 'undecodable', error: restored.error };
  return codec.decodeValue(restored.document, kind);
}

/** Follows apimachinery pkg/runtime/scheme.go unstructuredToTyped. */
export const formatRestoreError = (kind: GroupVersionKind, error: string): string =>
  `unable to convert unstructured object to ${gvkText(kind)}: ${error}`;

export type RestoredDecoding =
  | { readonly outcome: 'restored'; readonly document: JsonDocument }
  | { readonly outcome: 'unrestorable'; readonly error: string };

/**
 * Checks a document built from maps by the converter's rules: 3.0 is an integer, integers overflow (4294967297 is the
 * int32 1). Unknown fields stay for the codec. Follows apimachinery pkg/runtime/converter.go.
 */
export function restoreFromMaps(types: BuiltinTypes, document: JsonDocument, typeName: string): RestoredDecoding {
  const restoring = { types, fields: new Map(), error: undefined };
  const restored = restore(restoring, document, { type: 'named', name: typeName });
  return restoring.error === undefined
    ? { outcome: 'restored', document: restored }
    : { outcome: 'unrestorable', error: restoring.error };
}

interface Restoring {
  readonly types: BuiltinTypes;
  readonly fields: Map<string, ReadonlyMap<string, Field>>;
  error: string | undefined;
}

/** `goName` overrides the Go name of the type. */
function restore(restoring: Restoring, value: JsonDocument, type: TypeRef, goName?: string): JsonDocument {
  if (value === null || restoring.error !== undefined) return value;
  if (type.type === 'scalar') return restoreScalar(restoring, value, type.scalar, goName ?? goNameOf(type));
  if (type.type === 'named') return restoreNamed(restoring, value, type, goName);
  if (type.type === 'list') {
    if (isList(value)) return value.map((element) => restore(restoring, element, type.of));
    return recordError(restoring, `cannot restore slice from ${reflectKind(value)}`);
  }
  return isDocumentObject(value)
    ? restoreMembers(restoring, value, Object.keys(value), () => ({ type: type.of }))
    : recordError(restoring, `cannot restore map from ${reflectKind(value)}`);
}

function restoreNamed(
  restoring: Restoring,
  value: JsonDocument,
  type: TypeRef & { readonly type: 'named' },
  goName: string | undefined,
): JsonDocument {
  const info = restoring.types.typeInfo(type.name);
  if (info?.is === 'alias') return restore(restoring, value, info.of, goName ?? goNameOf(type));
  if (info?.is !== 'struct') return value; // A union has a parser of its own, which the codec asks.
  if (!isDocumentObject(value)) return recordError(restoring, `cannot restore struct from: ${reflectKind(value)}`);
  const fields = readFields(restoring, type.name);
  const inOrder = [...fields.keys()].filter((name) => Object.hasOwn(value, name));
  const unknown = Object.keys(value).filter((name) => !fields.has(name));
  return restoreMembers(restoring, value, [...inOrder, ...unknown], (name) => fields.get(name));
}

function restoreMembers(
  restoring: Restoring,
  object: DocumentObject,
  names: readonly string[],
  fieldOf: (name: string) => Pick<Field, 'type' | 'goType'> | undefined,
): JsonDocument {
  return mapFields(names, (name) => {
    const value = object[name];
    const field = value === undefined ? undefined : fieldOf(name);
    return value === undefined || !field ? value : restore(restoring, value, field.type, field.goType);
  });
}

function readFields({ types, fields: cache }: Restoring, typeName: string): ReadonlyMap<string, Field> {
  const known = cache.get(typeName);
  if (known) return known;
  const fields = new Map(flattenFields(types, typeName).map((field) => [field.name, field]));
  cache.set(typeName, fields);
  return fields;
}

const plainScalars: ReadonlySet<Scalar> = new Set<Scalar>(['string', 'bool', 'int32', 'int64', 'float64']);

function restoreScalar(restoring: Restoring, value: JsonDocument, scalar: Scalar, goName: string): JsonDocument {
  if (scalar === 'bytes') return restoreBytes(restoring, value);
  if (plainScalars.has(scalar)) return restorePlain(restoring, value, scalar, goName);
  const reading = scalarReaders[scalar](value);
  if ('error' in reading) return recordError(restoring, reading.error);
  if (!('mismatch' in reading)) return scalar === 'raw' ? sortKeys(value) : value;
  const { what, as } = reading.mismatch;
  return recordError(restoring, `json: cannot unmarshal ${what} into Go value of type ${as ?? goName}`);
}

/** Raw values are encoded from maps, whose keys Go sorts. */
function sortKeys(value: JsonDocument): JsonDocument {
  if (isList(value)) return value.map(sortKeys);
  if (!isDocumentObject(value)) return value;
  const fields = {};
  for (const name of Object.keys(value).toSorted(compareTexts)) setOwn(fields, name, sortKeys(value[name] ?? null));
  return fields;
}

function restoreBytes(restoring: Restoring, value: JsonDocument): JsonDocument {
  if (typeof value !== 'string') {
    return isList(value) ? value : recordError(restoring, `cannot restore slice from ${reflectKind(value)}`);
  }
  const reading = scalarReaders.bytes(value);
  return 'error' in reading ? recordError(restoring, `error decoding from json: ${reading.error}`) : value;
}

function restorePlain(restoring: Restoring, value: JsonDocument, scalar: Scalar, goName: string): JsonDocument {
  const from = goTypeOf(value);
  if (scalar === 'int32' || scalar === 'int64') return restoreInteger(restoring, value, scalar, goName);
  if (from === scalar || (from === 'int64' && scalar === 'float64')) return value;
  // Go would convert the integer to a rune.
  if (from === 'int64' && scalar === 'string') return recordError(restoring, `cannot convert int64 to ${goName}`);
  return recordError(restoring, `unrecognized type: ${scalar}`);
}

function restoreInteger(
  restoring: Restoring,
  value: JsonDocument,
  scalar: 'int32' | 'int64',
  goName: string,
): JsonDocument {
  const from = goTypeOf(value);
  if (from !== 'int64' && from !== 'float64') return recordError(restoring, `unrecognized type: ${scalar}`);
  if (from === 'float64' && !Number.isInteger(toDouble(value))) {
    return recordError(restoring, `cannot convert float64 to ${goName}`);
  }
  return toInteger(value, scalar === 'int32' ? 32 : 64);
}

const toDouble = (value: JsonDocument): number =>
  value instanceof JsonNumber ? Number(value.text) : typeof value === 'number' ? value : 0;

/** Keeps the lowest bits. */
function toInteger(value: JsonDocument, bits: 32 | 64): JsonDocument {
  const number = value instanceof JsonNumber ? goNumber(value.text) : value;
  if (typeof number !== 'number' && typeof number !== 'bigint') return value;
  const truncated = BigInt.asIntN(bits, typeof number === 'bigint' ? number : truncateToInt64(number));
  return Number.isSafeInteger(Number(truncated)) ? Number(truncated) : truncated;
}

const minInt64 = -(2n ** 63n);

/** A double outside int64 becomes the least int64, as on amd64; its int32 is 0. */
function truncateToInt64(double: number): bigint {
  const integer = BigInt(double);
  return integer === BigInt.asIntN(64, integer) ? integer : minInt64;
}

function reflectKind(value: JsonDocument): string {
  if (isList(value)) return 'slice';
  return isDocumentObject(value) ? 'map' : (goTypeOf(value) ?? 'invalid');
}

function recordError(restoring: Restoring, error: string): null {
  restoring.error ??= error;
  return null;
}
