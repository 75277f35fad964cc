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

export const hasNoFault = (merging: Merging): boolean => merging.fault === undefined;

export const newMissingMergeKey = (object: DocumentObject, key: string): MergeFault => ({
  outcome: 'failed',
  error: `map: ${goPrint(object)} does not contain declared merge key: ${key}`,
});

export const newBadPatchType = (directive: JsonDocument, object: DocumentObject): MergeFault => ({
  outcome: 'failed',
  error: `unknown patch type: ${formatAsString(directive)} in map: ${goPrint(object)}`,
});

export const newBadPatchFormat = (part: string): MergeFault => ({
  outcome: 'failed',
  code: 400,
  error: `invalid patch format of ${part}`,
});

export const newBadArgument = (expected: string, value: JsonDocument): MergeFault => ({
  outcome: 'failed',
  error: `expected a ${expected}, but received a ${goTypeOf(value) ?? '%!s(<nil>)'}`,
});

/** Go's `%s`. */
function formatAsString(value: JsonDocument): string {
  if (typeof value === 'string') return value;
  const type = goTypeOf(value);
  return type === undefined ? '%!s(<nil>)' : `%!s(${type}=${goPrint(value)})`;
}

/** Go's `==`: 80 is not "80", and comparing maps or lists panics. */
export function equalsInGo(merging: Merging, a: JsonDocument, b: JsonDocument): boolean {
  const type = goTypeOf(a);
  if (type !== goTypeOf(b)) return false;
  if (isDocumentObject(a) || isList(a)) {
    merging.fault ??= newUncomparable(a);
    return false;
  }
  return toScalar(a) === toScalar(b);
}

export const newUncomparable = (value: JsonDocument): MergeFault => ({
  outcome: 'panicked',
  value: `runtime error: comparing uncomparable type ${goTypeOf(value) ?? ''}`,
});

const toScalar = (value: JsonDocument): JsonDocument => (value instanceof JsonNumber ? goNumber(value.text) : value);

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
  const indexes: ValueIndexes = new Map();
  for (const [at, value] of values.entries()) addIndex(indexes, value, at);
  return {
    add: (value, at) => addIndex(indexes, value, at),
    remove: (value) => indexes.delete(indexKey(value)),
    find: (value) => {
      const at = indexes.get(indexKey(value)) ?? -1;
      if (at >= 0 && isUncomparable(value)) merging.fault ??= newUncomparable(value);
      return at;
    },
  };
}

type ValueIndexes = Map<string, number>;

function addIndex(indexes: ValueIndexes, value: JsonDocument, at: number): void {
  const key = indexKey(value);
  if (!indexes.has(key)) indexes.set(key, at);
}

const isUncomparable = (value: JsonDocument): boolean => isDocumentObject(value) || isList(value);

/** Type and text; the type alone for uncomparable values. */
function indexKey(value: JsonDocument): string {
  // Fast path: most values are strings.
  if (typeof value === 'string') return `string:${value}`;
  const type = goTypeOf(value) ?? '';
  if (isUncomparable(value)) return type;
  return `${type}:${value instanceof JsonNumber ? goNumber(value.text).toString() : JSON.stringify(value)}`;
}
