import type { JsonText } from '../../machinery/json/json-reader.ts';
import { isJsonObject, setOwn, type JsonDocument, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import {
  documentWithOccurrence,
  isRepeatedFields,
  isRepeatedList,
  maxRepeats,
  parseRepeatedKeys,
  type RepeatedDocument,
  RepeatedValue,
} from '../../machinery/json/repeated-keys.ts';
import { apiVersionOf, type GroupVersionKind } from '../../machinery/meta/gvk.ts';
import { asKubernetesObject, type KubernetesObject } from '../../machinery/meta/object.ts';
import { flattenFields, type BuiltinTypes } from '../types/builtin-types.ts';
import type { TypeRef } from '../types/type-info.ts';
import { diagnoseDecode } from './diagnose-decode.ts';
import { createReaders } from './read-type.ts';

export type Decoded =
  /** `strict`: strict decoding errors in document order: `unknown field "spec.x"`, `duplicate field "a"`. */
  | { readonly outcome: 'decoded'; readonly object: KubernetesObject; readonly strict: readonly string[] }
  /** Upstream's text: `json: cannot unmarshal string into Go struct field …`. */
  | { readonly outcome: 'undecodable'; readonly error: string };

export type TypeDecoded =
  | { readonly outcome: 'decoded'; readonly value: JsonValue; readonly strict: readonly string[] }
  | { readonly outcome: 'undecodable'; readonly error: string };

/** `name` has no kind of its own: `admission.v1.AdmissionReview`, `meta.v1.DeleteOptions`. */
export type DecodeType = (value: JsonDocument, name: string, text?: JsonText) => TypeDecoded;

export interface Decoder {
  /** Follows apimachinery pkg/runtime/serializer/json/json.go. */
  readonly decodeJson: (text: JsonText, kind: GroupVersionKind) => Decoded;
  readonly decodeDocument: (value: JsonDocument, kind: GroupVersionKind) => Decoded;
  readonly decodeType: DecodeType;
}

const maxDecodings = 16;

export function createDecoder(types: BuiltinTypes): Decoder {
  const readerOf = createReaders(types);
  /** Each value of a repeated key must fit; the last one is decoded over the earlier ones. */
  const decodeRepeated = (text: JsonText, name: string): TypeDecoded => {
    const document = parseRepeatedKeys(text.text);
    const occurrences = Math.min(maxRepeats(document), maxDecodings);
    for (let occurrence = 0; occurrence < occurrences; occurrence += 1) {
      const { error } = diagnoseDecode(types, documentWithOccurrence(document, occurrence), name);
      if (error !== undefined) return { outcome: 'undecodable', error };
    }
    const merged = mergeRepeated({ types, fieldsOf: new Map() }, document, valueTarget({ type: 'named', name }));
    const { error, strict } = diagnoseDecode(types, merged, name, text);
    if (error !== undefined) return { outcome: 'undecodable', error };
    return {
      outcome: 'decoded',
      value: merged === null ? readerOf(name).zero() : readerOf(name).read(merged, { found: false }),
      strict,
    };
  };
  const decodeNested: DecodeType = (value, name, text) => {
    if (text?.hasDuplicates === true && text.value === value) return decodeRepeated(text, name);
    const anomaly = { found: false };
    const reader = readerOf(name);
    const read = value === null ? reader.zero() : reader.read(value, anomaly);
    if (!anomaly.found) return { outcome: 'decoded', value: read, strict: [] };
    const { error, strict } = diagnoseDecode(types, value, name, text);
    return error === undefined ? { outcome: 'decoded', value: read, strict } : { outcome: 'undecodable', error };
  };
  const decodeType: DecodeType = (value, name, text) => {
    try {
      return decodeNested(value, name, text);
    } catch (thrown) {
      // Go allows 10000 levels, the JavaScript stack fewer.
      if (thrown instanceof RangeError) return { outcome: 'undecodable', error: 'exceeded max depth' };
      throw thrown;
    }
  };
  const decode = (value: JsonDocument, kind: GroupVersionKind, text?: JsonText): Decoded => {
    const name = types.typeOfKind(kind);
    // Upstream knows this kind but does not serve it.
    if (name === undefined) return { outcome: 'decoded', object: { ...typeMetaOf(kind) }, strict: [] };
    const decoded = decodeType(value, name, text);
    if (decoded.outcome === 'undecodable') return decoded;
    const object = asKubernetesObject(withTypeMeta(decoded.value, kind));
    if (object === undefined) throw new Error(`${kind.kind} has no object form`);
    return { outcome: 'decoded', object, strict: decoded.strict };
  };
  return {
    decodeJson: (text, kind) => decode(text.value, kind, text),
    decodeDocument: (value, kind) => decode(value, kind),
    decodeType,
  };
}

function withTypeMeta(value: JsonValue, kind: GroupVersionKind): JsonObject {
  const object: JsonObject = typeMetaOf(kind);
  if (!isJsonObject(value)) return object;
  for (const field of Object.keys(value)) {
    if (field !== 'kind' && field !== 'apiVersion') setOwn(object, field, value[field]);
  }
  return object;
}

const typeMetaOf = (kind: GroupVersionKind): { readonly kind: string; readonly apiVersion: string } => ({
  kind: kind.kind,
  apiVersion: apiVersionOf(kind),
});

interface Merge {
  readonly types: BuiltinTypes;
  readonly fieldsOf: Map<string, ReadonlyMap<string, DecodeTarget>>;
}

interface DecodeTarget {
  readonly type: TypeRef;
  readonly pointer: boolean;
}

type Fields = Record<string, JsonDocument>;

/** Merges repeated keys: struct fields, map keys and list items are decoded over earlier ones, other values replace them. */
function mergeRepeated(merge: Merge, document: RepeatedDocument, target: DecodeTarget): JsonDocument {
  if (document instanceof RepeatedValue) {
    let merged: JsonDocument = null;
    for (const [at, value] of document.values.entries()) {
      const next: JsonDocument = mergeRepeated(merge, value, target);
      merged = at === 0 ? next : readOver(merge, merged, next, target);
    }
    return merged;
  }
  const type = resolveAlias(merge, target.type);
  if (type.type === 'list' && isRepeatedList(document)) {
    const list: JsonDocument[] = [];
    for (const item of document) list.push(mergeRepeated(merge, item, valueTarget(type.of)));
    return list;
  }
  if (!isRepeatedFields(document)) return documentWithOccurrence(document, Infinity);
  const fields: Fields = {};
  for (const key of Object.keys(document)) {
    setOwn(fields, key, mergeRepeatedField(merge, document[key] ?? null, type, key));
  }
  return fields;
}

/** Map values are always fresh: the last one counts. */
function mergeRepeatedField(merge: Merge, value: RepeatedDocument, type: TypeRef, key: string): JsonDocument {
  if (type.type === 'map') {
    const last = value instanceof RepeatedValue ? value.values.at(-1) : value;
    return mergeRepeated(merge, last ?? null, valueTarget(type.of));
  }
  const target = type.type === 'named' ? targetsByField(merge, type.name).get(key) : undefined;
  return target ? mergeRepeated(merge, value, target) : documentWithOccurrence(value, Infinity);
}

/** Changes `old` in place: it was created here. */
function readOver(merge: Merge, old: JsonDocument, next: JsonDocument, target: DecodeTarget): JsonDocument {
  const type = resolveAlias(merge, target.type);
  if (next === null) return keepsValueOnNull(merge, type, target.pointer) ? old : null;
  if (type.type === 'list' && isItemsTarget(old) && isItemsTarget(next)) return readListOver(merge, old, next, type.of);
  if (!isFields(old) || !isFields(next)) return next;
  if (type.type === 'map') return readMapOver(old, next);
  const fields = type.type === 'named' ? targetsByField(merge, type.name) : noFields;
  return fields.size === 0 ? next : readStructOver(merge, old, next, fields);
}

function readMapOver(old: Fields, next: Fields): JsonDocument {
  for (const key of Object.keys(next)) setOwn(old, key, next[key] ?? null);
  return old;
}

function readListOver(
  merge: Merge,
  old: readonly JsonDocument[],
  next: readonly JsonDocument[],
  of: TypeRef,
): JsonDocument {
  const list: JsonDocument[] = [];
  for (const [at, item] of next.entries()) {
    const existing = old[at];
    list.push(existing === undefined ? item : readOver(merge, existing, item, valueTarget(of)));
  }
  return list;
}

function readStructOver(
  merge: Merge,
  old: Fields,
  next: Fields,
  targets: ReadonlyMap<string, DecodeTarget>,
): JsonDocument {
  for (const key of Object.keys(next)) {
    const existing = Object.hasOwn(old, key) ? old[key] : undefined;
    const [value, target] = [next[key] ?? null, targets.get(key)];
    setOwn(old, key, existing === undefined || !target ? value : readOver(merge, existing, value, target));
  }
  return old;
}

const isItemsTarget = (value: JsonDocument): value is readonly JsonDocument[] => Array.isArray(value);

const noFields: ReadonlyMap<string, DecodeTarget> = new Map();

const isFields = (value: JsonDocument): value is Fields => isJsonObject(value);

const valueTarget = (type: TypeRef): DecodeTarget => ({ type, pointer: false });

/** null clears pointers, lists, maps and types with an UnmarshalJSON; structs and plain values stay. */
function keepsValueOnNull({ types }: Merge, type: TypeRef, pointer: boolean): boolean {
  if (pointer) return false;
  if (type.type === 'named') return types.typeInfo(type.name)?.is === 'struct';
  return type.type === 'scalar' && scalarsUnchangedByNull.has(type.scalar);
}

const scalarsUnchangedByNull = new Set(['string', 'bool', 'int32', 'int64', 'float64', 'raw', 'json', 'fieldsv1']);

function resolveAlias(merge: Merge, type: TypeRef): TypeRef {
  const info = type.type === 'named' ? merge.types.typeInfo(type.name) : undefined;
  return info?.is === 'alias' ? resolveAlias(merge, info.of) : type;
}

function targetsByField({ types, fieldsOf: known }: Merge, name: string): ReadonlyMap<string, DecodeTarget> {
  const existing = known.get(name);
  if (existing) return existing;
  const fields = new Map(flattenFields(types, name).map((field): [string, DecodeTarget] => [field.name, field]));
  known.set(name, fields);
  return fields;
}
