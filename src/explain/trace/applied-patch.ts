import { bigintAsNumber } from '../../machinery/json/bigint-replacer.ts';
import { decodePatch } from '../../machinery/patch/json-patch-decode.ts';
import { applyJsonPatch } from '../../machinery/patch/json-patch.ts';
import { plainValue } from '../../machinery/json/json-reader.ts';
import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';

/** What the operations of a trace make of a value; undefined when one of them does not apply. */
export function appliedPatch(before: JsonValue, patch: readonly JsonObject[]): JsonValue | undefined {
  const decoded = decodePatch(textOf(patch));
  if (decoded.outcome !== 'decoded') return undefined;
  const patched = applyJsonPatch(before, decoded.patch);
  return patched.outcome === 'patched' ? plainValue(patched.document) : undefined;
}

/** Why the operations of a trace do not apply to a value; undefined when they do, or cannot be read. */
export function patchFault(before: JsonValue, patch: JsonValue): string | undefined {
  const decoded = decodePatch(textOf(patch));
  if (decoded.outcome !== 'decoded') return undefined;
  const patched = applyJsonPatch(before, decoded.patch);
  return patched.outcome === 'failed' ? patched.error : undefined;
}

/** A trace that has not been through a file can hold integers that JSON.stringify does not know. */
const textOf = (value: JsonValue): string => JSON.stringify(value, bigintAsNumber);
