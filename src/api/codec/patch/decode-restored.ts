import { gvkText } from '../../../machinery/meta/gvk.ts';
import type { GroupVersionKind } from '../../../machinery/meta/gvk.ts';
import type { JsonDocument } from '../../../machinery/json/json.ts';
import type { Codec } from '../codec.ts';
import type { Decoded } from '../decoded.ts';
import { restoreFromMaps } from './restore-from-maps.ts';

/**
 * What a merge has made, as its kind: it comes out of maps, not out of a text. Follows apimachinery pkg/runtime/converter.go
 * FromUnstructured.
 */
export function decodeRestored(codec: Codec, document: JsonDocument, kind: GroupVersionKind): Decoded {
  const name = codec.types.typeOfKind(kind);
  if (name === undefined) return codec.decodeValue(document, kind);
  const restored = restoreFromMaps(codec.types, document, name);
  if (restored.outcome === 'unrestorable') return { outcome: 'undecodable', error: restored.error };
  return codec.decodeValue(restored.document, kind);
}

/** What an apply says of one that cannot be. Follows apimachinery pkg/runtime/scheme.go unstructuredToTyped. */
export const notRestored = (kind: GroupVersionKind, error: string): string =>
  `unable to convert unstructured object to ${gvkText(kind)}: ${error}`;
