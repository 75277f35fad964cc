import { goPrint, goTypeOf } from '../../../machinery/go/go-print.ts';
import { isList, JsonNumber } from '../../../machinery/json/json.ts';
import type { JsonDocument } from '../../../machinery/json/json.ts';
import { goNumber } from '../../../machinery/json/json-reader.ts';
import type { PatchSchema } from './patch-schema.ts';

export type DocumentObject = { readonly [field: string]: JsonDocument | undefined };

/** Why a strategic merge patch does not apply. */
export type MergeFault =
  /** `code` is that of the answer: 500 without one. */
  | { readonly outcome: 'failed'; readonly error: string; readonly code?: 400 | 422 }
  /** Upstream's code compares what Go cannot compare; `value` is what its recover finds. */
  | { readonly outcome: 'panicked'; readonly value: string };

/** One merge. Once `fault` is set what the functions return no longer matters; the first fault is kept. */
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

/** Go's `%s`, which has its own way with what is no string. */
function printedAsString(value: JsonDocument): string {
  if (typeof value === 'string') return value;
  const type = goTypeOf(value);
  return type === undefined ? '%!s(<nil>)' : `%!s(${type}=${goPrint(value)})`;
}

/** Go's `==` on decoded values: the types count too, so 80 is not "80". Comparing two maps or two lists panics. */
export function sameValue(merging: Merging, a: JsonDocument, b: JsonDocument): boolean {
  const type = goTypeOf(a);
  if (type !== goTypeOf(b)) return false;
  if (isObject(a) || isList(a)) {
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

export const isObject = (value: JsonDocument | undefined): value is DocumentObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber);
