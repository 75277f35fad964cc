import { goJsonKind } from '../go/go-print.ts';
import { mapFields } from '../meta/object.ts';
import { isList, type JsonDocument, setOwn, isDocumentObject } from '../json/json.ts';
import { readJson } from '../json/json-reader.ts';
import { tooLargeNumberIn } from '../json/too-large-number.ts';

export type DecodedMergePatch =
  /** `strict` are the errors of strict decoding: `duplicate field "data.k"`. */
  | { readonly outcome: 'decoded'; readonly patch: JsonDocument; readonly strict: readonly string[] }
  | { readonly outcome: 'undecodable'; readonly error: string };

/**
 * The merge patch of a client's request. `checked` is false for fieldValidation=Ignore: then only the engine's own
 * errors remain. Follows apiserver pkg/endpoints/handlers/patch.go.
 */
export function decodeMergePatch(text: string, checked: boolean): DecodedMergePatch {
  const reading = readJson(text);
  if (reading.outcome === 'unreadable') {
    return { outcome: 'undecodable', error: checked ? `error decoding patch: ${reading.error}` : invalidPatch };
  }
  const { json } = reading;
  const patch = json.value;
  if (patch === null) return { outcome: 'undecodable', error: invalidPatch };
  if (!isDocumentObject(patch) && checked) {
    const error = `error decoding patch: json: cannot unmarshal ${goJsonKind(patch)} into Go value of type map[string]interface {}`;
    return { outcome: 'undecodable', error };
  }
  if (!isDocumentObject(patch) && !Array.isArray(patch)) return { outcome: 'undecodable', error: invalidPatch };
  const tooLarge = checked ? tooLargeNumberIn(json) : undefined;
  if (tooLarge !== undefined) return { outcome: 'undecodable', error: `error decoding patch: ${tooLarge}` };
  const duplicates = json.hasDuplicates && checked ? json.keys().filter(({ duplicate }) => duplicate) : [];
  return { outcome: 'decoded', patch, strict: duplicates.map(({ path }) => `duplicate field "${path}"`) };
}

const invalidPatch = 'Invalid JSON Patch';

/**
 * The document with the patch merged in: null removes, objects merge, everything else replaces. Shares unchanged parts
 * with both. Removes nulls from a subtree that the document did not have, but not inside a list that replaces an
 * object. Follows gopkg.in/evanphx/json-patch.v4 merge.go.
 */
export function applyMergePatch(document: JsonDocument, patch: JsonDocument): JsonDocument {
  if (!isDocumentObject(document)) return withoutNullMembers(patch);
  if (!isDocumentObject(patch)) return patch;
  const merged: Record<string, JsonDocument | undefined> = { ...document };
  for (const [field, value] of Object.entries(patch)) {
    if (value === null || value === undefined) {
      delete merged[field];
      continue;
    }
    const current = Object.hasOwn(merged, field) ? merged[field] : undefined;
    setOwn(merged, field, applyMergePatch(current ?? null, value));
  }
  return merged;
}

/** Objects without their null members; the null elements of lists stay. */
export function withoutNullMembers(value: JsonDocument): JsonDocument {
  if (isList(value)) return value.map(withoutNullMembers);
  if (!isDocumentObject(value)) return value;
  return mapFields(Object.keys(value), (field) => {
    const member = value[field];
    return member === null || member === undefined ? undefined : withoutNullMembers(member);
  });
}
