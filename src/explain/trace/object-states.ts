import jsonPatch from 'fast-json-patch';
import { plainValue } from '../../machinery/json/json-reader.ts';
import { bigintAsNumber } from '../../machinery/json/json-writer.ts';
import {
  asObject,
  asString,
  isJsonObject,
  isList,
  type JsonObject,
  type JsonValue,
} from '../../machinery/json/json.ts';
import { decodePatch } from '../../machinery/patch/json-patch-decode.ts';
import { applyJsonPatch } from '../../machinery/patch/json-patch.ts';
import { changesBetween } from './object-diff.ts';
import type { Trace, TracedDecision, TracedWebhook } from './trace.ts';

export interface States {
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/**
 * For each decision of a trace the object before and after it; undefined where nothing changed or the trace does not
 * say. A webhook's objects have the version of its review.
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

/** A patch that writes existing values, or fields that the API server drops. */
export const isWithoutEffect = ({ changed, hasEffect }: Pick<TracedWebhook, 'changed' | 'hasEffect'>): boolean =>
  changed === false || hasEffect === false;

/** Without the object before it, any patch counts. */
export function hasChanged(decision: TracedDecision, states: States | undefined): boolean {
  if (decision.type === 'webhook' && isWithoutEffect(decision)) return false;
  if (states === undefined) return patchOf(decision).length > 0;
  return changesBetween(states.before, states.after).length > 0;
}

const patchOf = (decision: TracedDecision): readonly JsonObject[] =>
  decision.outcome === 'denied' ? [] : (decision.patch ?? []);

/** The object of a webhook's review, with defaults of the patches before it. */
function beforeOf(decision: TracedDecision, current: JsonObject | undefined): JsonObject | undefined {
  if (decision.type !== 'webhook') return current;
  const shown = asObject(decision.review?.['request'])['object'];
  return isJsonObject(shown) ? shown : undefined;
}

function afterPatch(before: JsonObject, patch: readonly JsonObject[]): JsonObject | undefined {
  if (patch.length === 0) return undefined;
  const value =
    applyTracedPatch(before, patch) ?? applyTracedPatch(before, [...missingParents(before, patch), ...patch]);
  return value !== undefined && isJsonObject(value) ? value : undefined;
}

/**
 * Defaults that a plugin of the second round saw and the trace does not have, such as `resources: {}` of an added
 * container: operations that create the empty parents of its patch.
 */
function missingParents(before: JsonObject, patch: readonly JsonObject[]): readonly JsonObject[] {
  const parents = patch.flatMap(({ path }) => {
    const pointer = asString(path);
    return pointer.slice(0, pointer.lastIndexOf('/'));
  });
  return [...new Set(parents)].flatMap((path) => {
    const make = { op: 'add', path, value: {} };
    return existsAt(before, path) || applyTracedPatch(before, [make]) === undefined ? [] : [make];
  });
}

/** Does the JSON pointer (RFC 6901) exist? */
function existsAt(object: JsonObject, pointer: string): boolean {
  let at: JsonValue | undefined = object;
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    at = isList(at) ? at[Number(key)] : isJsonObject(at) ? at[key] : undefined;
  }
  return at !== undefined;
}

/** undefined when an operation does not apply. */
export function applyTracedPatch(before: JsonValue, patch: readonly JsonObject[]): JsonValue | undefined {
  const decoded = decodePatch(textOf(patch));
  if (decoded.outcome !== 'decoded') return undefined;
  const patched = applyJsonPatch(before, decoded.patch);
  return patched.outcome === 'patched' ? plainValue(patched.document) : undefined;
}

/** Why the patch does not apply; undefined when it does, or is unreadable. */
export function patchFault(before: JsonValue, patch: JsonValue): string | undefined {
  const decoded = decodePatch(textOf(patch));
  if (decoded.outcome !== 'decoded') return undefined;
  const patched = applyJsonPatch(before, decoded.patch);
  return patched.outcome === 'failed' ? patched.error : undefined;
}

/** Traces in memory may contain bigint values. */
const textOf = (value: JsonValue): string => JSON.stringify(value, bigintAsNumber);

export const patchBetween = (before: JsonObject, after: JsonObject): readonly JsonObject[] =>
  jsonPatch.compare(before, after).map((operation): JsonObject => ({ ...operation }));
