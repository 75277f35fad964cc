import { sameJson } from '../../machinery/json/json-equal.ts';
import { isJsonObject } from '../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';
import { escapedStep } from './object-path.ts';

/**
 * The JSON Patch from one value to another as a person would write it: `add` for what is new, with everything in it at
 * once, `replace` for what is different, `/-` for what was appended to a list.
 */
export function patchBetween(before: JsonValue, after: JsonValue, path = ''): readonly JsonObject[] {
  if (sameJson(before, after)) return [];
  if (isJsonObject(before) && isJsonObject(after)) return fieldsPatch(before, after, path);
  if (Array.isArray(before) && Array.isArray(after) && after.length >= before.length) {
    return listPatch(before, after, path);
  }
  return [{ op: 'replace', path, value: after }];
}

function fieldsPatch(before: JsonObject, after: JsonObject, path: string): readonly JsonObject[] {
  const gone = Object.keys(before).filter((field) => before[field] !== undefined && after[field] === undefined);
  const kept = Object.entries(after).flatMap(([field, value]) => {
    if (value === undefined) return [];
    const at = `${path}/${escapedStep(field)}`;
    const old = Object.hasOwn(before, field) ? before[field] : undefined;
    return old === undefined ? [{ op: 'add', path: at, value }] : patchBetween(old, value, at);
  });
  return [...gone.map((field) => ({ op: 'remove', path: `${path}/${escapedStep(field)}` })), ...kept];
}

const listPatch = (before: readonly JsonValue[], after: readonly JsonValue[], path: string): readonly JsonObject[] =>
  after.flatMap((value, index) => {
    const old = before[index];
    return old === undefined ? [{ op: 'add', path: `${path}/-`, value }] : patchBetween(old, value, `${path}/${index}`);
  });
