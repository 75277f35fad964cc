import { apiVersionOf, type GroupVersionKind, parseApiVersion } from '../../machinery/meta/gvk.ts';
import { isJsonObject, type JsonDocument } from '../../machinery/json/json.ts';
import { isJsonText, type JsonText } from '../../machinery/json/json-reader.ts';
import type { Codec } from '../../api/codec/codec.ts';
import type { Decoded } from '../../api/codec/decode.ts';

export interface TypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Missing parts are those of the endpoint. */
export function typeMetaOf(document: JsonDocument, endpoint: GroupVersionKind): TypeMeta {
  const { apiVersion, kind } = isJsonObject(document) ? document : {};
  return {
    apiVersion: typeof apiVersion === 'string' && apiVersion !== '' ? apiVersion : apiVersionOf(endpoint),
    kind: typeof kind === 'string' && kind !== '' ? kind : endpoint.kind,
  };
}

/**
 * Decodes the stated kind before comparing it with the endpoint's: a Secret sent to ConfigMaps fails by its own fields
 * first. Follows apimachinery pkg/runtime/serializer/versioning/versioning.go.
 */
export function decodeAs(
  codec: Codec,
  body: JsonText | JsonDocument,
  sent: TypeMeta,
  endpoint: GroupVersionKind,
): Decoded {
  const stated = { ...parseApiVersion(sent.apiVersion), kind: sent.kind };
  const foreign = codec.foreign(sent, endpoint);
  if (foreign !== undefined && !codec.types.isRegistered(stated)) return { outcome: 'undecodable', error: foreign };
  const decoded = isJsonText(body) ? codec.decode(body, stated) : codec.decodeValue(body, stated);
  if (decoded.outcome === 'undecodable' || foreign === undefined) return decoded;
  return { outcome: 'undecodable', error: foreign };
}
