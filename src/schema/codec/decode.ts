import { apiVersionOf } from '../../apimachinery/gvk.ts';
import type { GroupVersionKind } from '../../apimachinery/gvk.ts';
import { isJsonObject, setOwn } from '../../apimachinery/json.ts';
import type { JsonDocument, JsonObject, JsonValue } from '../../apimachinery/json.ts';
import type { JsonText } from '../../apimachinery/json-reader.ts';
import { asKubernetesObject } from '../../apimachinery/object.ts';
import { typeOfKind } from '../types/builtin-types.ts';
import type { Decoded } from './codec.ts';
import { diagnoseDecode } from './diagnose-decode.ts';
import { readerOf } from './read-type.ts';

/** Codec.decode for the built-in kinds. Follows apimachinery pkg/runtime/serializer/json/json.go. */
export const decodeJson = (text: JsonText, kind: GroupVersionKind): Decoded => decode(text.value, kind, text);

/** Codec.decodeValue for the built-in kinds. */
export const decodeDocument = (value: JsonDocument, kind: GroupVersionKind): Decoded => decode(value, kind);

export type TypeDecoded =
  | { readonly outcome: 'decoded'; readonly value: JsonValue; readonly strict: readonly string[] }
  | { readonly outcome: 'undecodable'; readonly error: string };

/** A value as a type that has no kind of its own, `admission.v1.AdmissionReview` or `meta.v1.DeleteOptions`. */
export function decodeType(value: JsonDocument, name: string, text?: JsonText): TypeDecoded {
  try {
    return decodeNested(value, name, text);
  } catch (thrown) {
    // Go allows 10000 levels, our stack fewer.
    if (thrown instanceof RangeError) return { outcome: 'undecodable', error: 'exceeded max depth' };
    throw thrown;
  }
}

function decodeNested(value: JsonDocument, name: string, text: JsonText | undefined): TypeDecoded {
  const anomaly = { found: false };
  const reader = readerOf(name);
  const read = value === null ? reader.zero() : reader.read(value, anomaly);
  if (!anomaly.found && text?.hasDuplicates !== true) return { outcome: 'decoded', value: read, strict: [] };
  const { error, strict } = diagnoseDecode(value, name, text);
  return error === undefined ? { outcome: 'decoded', value: read, strict } : { outcome: 'undecodable', error };
}

function decode(value: JsonDocument, kind: GroupVersionKind, text?: JsonText): Decoded {
  const name = typeOfKind(kind);
  // A kind that upstream knows and does not serve: it gets no further than its name.
  if (name === undefined) return { outcome: 'decoded', object: { ...typeMetaOf(kind) }, strict: [] };
  const decoded = decodeType(value, name, text);
  if (decoded.outcome === 'undecodable') return decoded;
  const object = asKubernetesObject(withTypeMeta(decoded.value, kind));
  if (object === undefined) throw new Error(`${kind.kind} has no object form`);
  return { outcome: 'decoded', object, strict: decoded.strict };
}

/** The object with its kind and apiVersion first, whatever the body said. */
function withTypeMeta(value: JsonValue, kind: GroupVersionKind): JsonObject {
  const object: JsonObject = typeMetaOf(kind);
  if (!isJsonObject(value)) return object;
  for (const field in value) {
    if (field !== 'kind' && field !== 'apiVersion') setOwn(object, field, value[field]);
  }
  return object;
}

const typeMetaOf = (kind: GroupVersionKind): { readonly kind: string; readonly apiVersion: string } => ({
  kind: kind.kind,
  apiVersion: apiVersionOf(kind),
});
