import { mapFields } from '../../../machinery/meta/map-fields.ts';
import { isJsonObject } from '../../../machinery/json/json.ts';
import type { JsonDocument } from '../../../machinery/json/json.ts';
import { writeJsonForGo } from '../../../machinery/json/json-writer.ts';

/**
 * A patched document as Go's patch engines write it: an object that the patch went through has its keys sorted, one it
 * left alone stands as it was, which in a custom resource (`live` null) is sorted too.
 * Follows gopkg.in/evanphx/json-patch.v4 merge.go and patch.go.
 */
export const patchedText = (document: JsonDocument, live: JsonDocument): string =>
  writeJsonForGo(sortedWhereTouched(document, live));

function sortedWhereTouched(document: JsonDocument | undefined, live: JsonDocument | undefined): JsonDocument {
  if (document === undefined) return null;
  if (document === live || typeof document !== 'object' || document === null) return document;
  if (Array.isArray(document)) {
    const before = Array.isArray(live) ? live : [];
    const elements: readonly JsonDocument[] = document;
    return elements.map((element, index) => sortedWhereTouched(element, before[index]));
  }
  if (!isJsonObject(document)) return document;
  const before = isJsonObject(live) ? live : {};
  return mapFields(Object.keys(document).toSorted(), (field) => sortedWhereTouched(document[field], before[field]));
}
