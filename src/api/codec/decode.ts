import { apiVersionOf } from '../../machinery/meta/gvk.ts';
import type { GroupVersionKind } from '../../machinery/meta/gvk.ts';
import { isJsonObject, setOwn } from '../../machinery/json/json.ts';
import type { JsonDocument, JsonObject, JsonValue } from '../../machinery/json/json.ts';
import type { JsonText } from '../../machinery/json/json-reader.ts';
import { asKubernetesObject } from '../../machinery/meta/object.ts';
import { chosen, mostRepeats, readRepeated } from '../../machinery/json/repeated-keys.ts';
import type { BuiltinTypes } from '../types/builtin-types.ts';
import type { Decoded } from './decoded.ts';
import { diagnoseDecode } from './diagnose-decode.ts';
import { mergeRepeats } from './merge-repeats.ts';
import { createReaders } from './read-type.ts';

export type TypeDecoded =
  | { readonly outcome: 'decoded'; readonly value: JsonValue; readonly strict: readonly string[] }
  | { readonly outcome: 'undecodable'; readonly error: string };

/** A value as a type that has no kind of its own, `admission.v1.AdmissionReview` or `meta.v1.DeleteOptions`. */
export type DecodeType = (value: JsonDocument, name: string, text?: JsonText) => TypeDecoded;

export interface Decoder {
  /** Codec.decode for the built-in kinds. Follows apimachinery pkg/runtime/serializer/json/json.go. */
  readonly decodeJson: (text: JsonText, kind: GroupVersionKind) => Decoded;
  /** Codec.decodeValue for the built-in kinds. */
  readonly decodeDocument: (value: JsonDocument, kind: GroupVersionKind) => Decoded;
  readonly decodeType: DecodeType;
}

/** Of a key that is repeated more often, the values between these and the last one are not looked at. */
const mostTurns = 16;

/** Decodes the types of one release. */
export function createDecoder(types: BuiltinTypes): Decoder {
  const readerOf = createReaders(types);
  /** Each value of a repeated key must fit, the last one reads over what those before it have left. */
  const decodeRepeated = (text: JsonText, name: string): TypeDecoded => {
    const document = readRepeated(text.text);
    const turns = Math.min(mostRepeats(document), mostTurns);
    for (let turn = 0; turn < turns; turn += 1) {
      const { error } = diagnoseDecode(types, chosen(document, turn), name);
      if (error !== undefined) return { outcome: 'undecodable', error };
    }
    const merged = mergeRepeats(types, document, name);
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
      // Go allows 10000 levels, our stack fewer.
      if (thrown instanceof RangeError) return { outcome: 'undecodable', error: 'exceeded max depth' };
      throw thrown;
    }
  };
  const decode = (value: JsonDocument, kind: GroupVersionKind, text?: JsonText): Decoded => {
    const name = types.typeOfKind(kind);
    // A kind that upstream knows and does not serve: it gets no further than its name.
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

/** The object with its kind and apiVersion first, whatever the body said. */
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
