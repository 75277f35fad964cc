import { bigintAsNumber } from '../apimachinery/bigint-replacer.ts';
import { decodePatch } from '../apimachinery/json-patch-decode.ts';
import { applyJsonPatch } from '../apimachinery/json-patch.ts';
import { plainValue } from '../apimachinery/json-reader.ts';
import { asObject, isJsonObject } from '../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../apimachinery/json.ts';
import type { Trace, TracedDecision } from './trace.ts';

/** The object right before and right after a decision, where it changed something. */
export interface States {
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/**
 * For each decision of a trace, in the same order, the object before and after it; undefined where nothing was changed
 * or where it cannot be told. A webhook's are in the version in which it was called.
 */
export function statesOf({ admission, objectReceived }: Trace): readonly (States | undefined)[] {
  let current = objectReceived ?? undefined;
  return admission.map((decision) => {
    const before = beforeOf(decision, current);
    const after = before && afterPatch(before, patchOf(decision));
    if (!before || !after) return undefined;
    current = after;
    return { before, after };
  });
}

const patchOf = (decision: TracedDecision): readonly JsonObject[] =>
  decision.outcome === 'denied' ? [] : (decision.patch ?? []);

/** A webhook's review has the object that it was shown, defaults of the patches before it included. */
function beforeOf(decision: TracedDecision, current: JsonObject | undefined): JsonObject | undefined {
  if (decision.type !== 'webhook') return current;
  const shown = asObject(decision.review?.['request'])['object'];
  return isJsonObject(shown) ? shown : undefined;
}

function afterPatch(before: JsonObject, patch: readonly JsonObject[]): JsonObject | undefined {
  if (patch.length === 0) return undefined;
  const decoded = decodePatch(textOf(patch));
  if (decoded.outcome !== 'decoded') return undefined;
  const patched = applyJsonPatch(before, decoded.patch);
  if (patched.outcome !== 'patched') return undefined;
  const value = plainValue(patched.document);
  return isJsonObject(value) ? value : undefined;
}

/** A trace that has not been through a file can hold integers that JSON.stringify does not know. */
const textOf = (value: JsonValue): string => JSON.stringify(value, bigintAsNumber);
