import { fieldsInTurns } from './fields-in-turns.ts';
import { copyOf } from './copy-in-turns.ts';
import { hasManyNames, keepNames, namesOf } from './field-names.ts';
import { forEachInTurns, mapInTurns, onceInTurns } from './in-turns.ts';
import { isList, JsonNumber, setOwn } from './json.ts';
import type { JsonDocument } from './json.ts';
import { readJson } from './json-reader.ts';
import { tooLargeNumberIn } from './too-large-number.ts';

export type DecodedMergePatch =
  /** `strict` are the complaints of strict decoding: `duplicate field "data.k"`. */
  | { readonly outcome: 'decoded'; readonly patch: JsonDocument; readonly strict: readonly string[] }
  | { readonly outcome: 'undecodable'; readonly error: string };

/**
 * The merge patch of a client's request. `checked` is false for fieldValidation=Ignore: the engine's own, vaguer
 * refusals are left then. Follows apiserver pkg/endpoints/handlers/patch.go.
 */
export function decodeMergePatch(text: string, checked: boolean): DecodedMergePatch {
  const reading = readJson(text);
  if (reading.outcome === 'unreadable') {
    return { outcome: 'undecodable', error: checked ? `error decoding patch: ${reading.error}` : invalidPatch };
  }
  const { json } = reading;
  const patch = json.value;
  if (patch === null) return { outcome: 'undecodable', error: invalidPatch };
  if (!isObject(patch) && checked) {
    const error = `error decoding patch: json: cannot unmarshal ${goKind(patch)} into Go value of type map[string]interface {}`;
    return { outcome: 'undecodable', error };
  }
  if (!isObject(patch) && !Array.isArray(patch)) return { outcome: 'undecodable', error: invalidPatch };
  const tooLarge = checked ? tooLargeNumberIn(json) : undefined;
  if (tooLarge !== undefined) return { outcome: 'undecodable', error: `error decoding patch: ${tooLarge}` };
  const duplicates = json.hasDuplicates && checked ? json.keys().filter(({ duplicate }) => duplicate) : [];
  return { outcome: 'decoded', patch, strict: duplicates.map(({ path }) => `duplicate field "${path}"`) };
}

const invalidPatch = 'Invalid JSON Patch';

function goKind(value: JsonDocument): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'string') return 'string';
  return typeof value === 'boolean' ? 'bool' : 'number';
}

/**
 * The document with the patch merged in: null removes, objects merge, everything else replaces. Shares with both
 * whatever did not change. Nulls go from a subtree the document did not have, but stay inside a list that replaces an
 * object. Follows gopkg.in/evanphx/json-patch.v4 merge.go.
 */
export function applyMergePatch(document: JsonDocument, patch: JsonDocument): JsonDocument {
  if (!isObject(document)) return withoutNulls(patch);
  if (!isObject(patch)) return patch;
  const whole = forEachInTurns(namesOf(patch), copyOf(document), (merged, field) => {
    const value = patch[field];
    if (value === null || value === undefined) {
      delete merged[field];
      return;
    }
    const current = Object.hasOwn(merged, field) ? merged[field] : undefined;
    setOwn(merged, field, applyMergePatch(current ?? null, value));
  });
  if (hasManyNames(document)) {
    const names = namesOfMerged(whole, document, patch);
    onceInTurns(() => keepNames(whole, names));
  }
  return whole;
}

/** Those of the document that are left, then those that the patch adds: as if they were listed. */
function namesOfMerged(merged: DocumentObject, document: object, patch: object): readonly string[] {
  const [own, added] = [namesOf(document), namesOf(patch)];
  const start = (): string[] => [];
  return forEachInTurns([...own, ...added], start, (names, name, at) => {
    if (Object.hasOwn(merged, name) && (at < own.length || !Object.hasOwn(document, name))) names.push(name);
  });
}

type DocumentObject = { [field: string]: JsonDocument | undefined };

/** Objects without their null members; the null elements of lists stay. */
function withoutNulls(value: JsonDocument): JsonDocument {
  if (isList(value)) return mapInTurns(value, withoutNulls);
  if (!isObject(value)) return value;
  return fieldsInTurns(namesOf(value), (field) => {
    const member = value[field];
    return member === null || member === undefined ? undefined : withoutNulls(member);
  });
}

const isObject = (value: JsonDocument): value is Readonly<DocumentObject> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber);
