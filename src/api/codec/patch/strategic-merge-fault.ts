import { goPrint, goTypeOf, goJsonKind } from '../../../machinery/go/go-print.ts';
import { goNumber, readJson } from '../../../machinery/json/json-reader.ts';
import {
  JsonNumber,
  isList,
  type JsonDocument,
  type DocumentObject,
  isDocumentObject,
} from '../../../machinery/json/json.ts';
import { tooLargeNumberIn } from '../../../machinery/json/too-large-number.ts';
import type { PatchSchema } from './patch-schema.ts';

export type MergeFault =
  /** The response code is 500 without `code`. */
  | { readonly outcome: 'failed'; readonly error: string; readonly code?: 400 | 422 }
  /** Comparing uncomparable Go values; `value` is the recovered panic. */
  | { readonly outcome: 'panicked'; readonly value: string };

/** The first fault is kept; after it, results are ignored. */
export interface Merging {
  fault: MergeFault | undefined;
  readonly mergeObjects: (
    merging: Merging,
    original: DocumentObject,
    patch: DocumentObject,
    schema: PatchSchema,
  ) => DocumentObject;
}

export const noFault = (merging: Merging): boolean => merging.fault === undefined;

export const noMergeKey = (object: DocumentObject, key: string): MergeFault => ({
  outcome: 'failed',
  error: `map: ${goPrint(object)} does not contain declared merge key: ${key}`,
});

export const badPatchType = (directive: JsonDocument, object: DocumentObject): MergeFault => ({
  outcome: 'failed',
  error: `unknown patch type: ${printedAsString(directive)} in map: ${goPrint(object)}`,
});

export const malformed = (what: string): MergeFault => ({
  outcome: 'failed',
  code: 400,
  error: `invalid patch format of ${what}`,
});

export const badArgument = (wanted: string, value: JsonDocument): MergeFault => ({
  outcome: 'failed',
  error: `expected a ${wanted}, but received a ${goTypeOf(value) ?? '%!s(<nil>)'}`,
});

/** Go's `%s`. */
function printedAsString(value: JsonDocument): string {
  if (typeof value === 'string') return value;
  const type = goTypeOf(value);
  return type === undefined ? '%!s(<nil>)' : `%!s(${type}=${goPrint(value)})`;
}

/** Go's `==`: 80 is not "80", and comparing maps or lists panics. */
export function sameValue(merging: Merging, a: JsonDocument, b: JsonDocument): boolean {
  const type = goTypeOf(a);
  if (type !== goTypeOf(b)) return false;
  if (isDocumentObject(a) || isList(a)) {
    merging.fault ??= uncomparable(a);
    return false;
  }
  return scalarOf(a) === scalarOf(b);
}

export const uncomparable = (value: JsonDocument): MergeFault => ({
  outcome: 'panicked',
  value: `runtime error: comparing uncomparable type ${goTypeOf(value) ?? ''}`,
});

const scalarOf = (value: JsonDocument): JsonDocument => (value instanceof JsonNumber ? goNumber(value.text) : value);

export type DecodedStrategicPatch =
  /** `strict`: `duplicate field "spec.replicas"`. */
  | { readonly outcome: 'decoded'; readonly patch: DocumentObject; readonly strict: readonly string[] }
  | { readonly outcome: 'undecodable'; readonly error: string };

/** `null` is an empty patch. Follows apiserver pkg/endpoints/handlers/patch.go smpPatcher. */
export function decodeStrategicPatch(text: string): DecodedStrategicPatch {
  const reading = readJson(text);
  if (reading.outcome === 'unreadable') return { outcome: 'undecodable', error: reading.error };
  const { value, hasDuplicates, keys } = reading.json;
  const patch = value ?? {};
  if (!isDocumentObject(patch)) {
    const error = `json: cannot unmarshal ${goJsonKind(patch)} into Go value of type map[string]interface {}`;
    return { outcome: 'undecodable', error };
  }
  const tooLarge = tooLargeNumberIn(reading.json);
  if (tooLarge !== undefined) return { outcome: 'undecodable', error: tooLarge };
  const duplicates = hasDuplicates ? keys().filter(({ duplicate }) => duplicate) : [];
  return { outcome: 'decoded', patch, strict: duplicates.map(({ path }) => `duplicate field "${path}"`) };
}

/** Avoids searching long lists for each value. */
export interface ValueIndex {
  readonly add: (value: JsonDocument, at: number) => void;
  readonly remove: (value: JsonDocument) => void;
  /** -1 when absent. */
  readonly find: (value: JsonDocument) => number;
}

/** Go's `==`: 80 is not "80", and comparing maps or lists panics. */
export function createValueIndex(merging: Merging, values: readonly JsonDocument[] = []): ValueIndex {
  const places: Places = new Map();
  for (const [at, value] of values.entries()) addTo(places, value, at);
  return {
    add: (value, at) => addTo(places, value, at),
    remove: (value) => places.delete(keyOf(value)),
    find: (value) => {
      const at = places.get(keyOf(value)) ?? -1;
      if (at >= 0 && isUncomparable(value)) merging.fault ??= uncomparable(value);
      return at;
    },
  };
}

type Places = Map<string, number>;

function addTo(places: Places, value: JsonDocument, at: number): void {
  const key = keyOf(value);
  if (!places.has(key)) places.set(key, at);
}

const isUncomparable = (value: JsonDocument): boolean => isDocumentObject(value) || isList(value);

/** Type and text; the type alone for uncomparable values. */
function keyOf(value: JsonDocument): string {
  // Fast path: most values are strings.
  if (typeof value === 'string') return `string:${value}`;
  const type = goTypeOf(value) ?? '';
  if (isUncomparable(value)) return type;
  return `${type}:${value instanceof JsonNumber ? goNumber(value.text).toString() : JSON.stringify(value)}`;
}
