import { fieldsInTurns } from '../../apimachinery/fields-in-turns.ts';
import { sortedNamesOf } from '../../apimachinery/field-names.ts';
import { mapInTurns, onceInTurns, stepsInTurns } from '../../apimachinery/in-turns.ts';
import { isJsonObject } from '../../apimachinery/json.ts';
import type { JsonDocument } from '../../apimachinery/json.ts';
import { jsonInSteps } from '../../apimachinery/json-in-steps.ts';
import { escapeForGo } from '../../apimachinery/json-writer.ts';

/**
 * A patched document as Go's patch engines write it: an object that the patch went through has its keys sorted, one it
 * left alone stands as it was, which in a custom resource (`live` null) is sorted too.
 * Follows gopkg.in/evanphx/json-patch.v4 merge.go and patch.go.
 */
export function patchedText(document: JsonDocument, live: JsonDocument): string {
  const sorted = sortedWhereTouched(document, live);
  const pieces = stepsInTurns(() => jsonInSteps(sorted));
  return onceInTurns(() => pieces.map(escapeForGo).join(''));
}

function sortedWhereTouched(document: JsonDocument | undefined, live: JsonDocument | undefined): JsonDocument {
  if (document === undefined) return null;
  if (document === live || typeof document !== 'object' || document === null) return document;
  if (Array.isArray(document)) {
    const before = Array.isArray(live) ? live : [];
    const elements: readonly JsonDocument[] = document;
    return mapInTurns(elements, (element, index) => sortedWhereTouched(element, before[index]));
  }
  if (!isJsonObject(document)) return document;
  const before = isJsonObject(live) ? live : {};
  return fieldsInTurns(sortedNamesOf(document), (field) => sortedWhereTouched(document[field], before[field]));
}
