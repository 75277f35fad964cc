import type { JsonDocument } from '../../../machinery/json/json.ts';
import { goTypeOf } from '../../../machinery/go/go-print.ts';
import { readJson } from '../../../machinery/json/json-reader.ts';
import { tooLargeNumberIn } from '../../../machinery/json/too-large-number.ts';
import { isObject } from './strategic-merge-fault.ts';
import type { DocumentObject } from './strategic-merge-fault.ts';

export type DecodedStrategicPatch =
  /** `strict` are the complaints of strict decoding: `duplicate field "spec.replicas"`. */
  | { readonly outcome: 'decoded'; readonly patch: DocumentObject; readonly strict: readonly string[] }
  | { readonly outcome: 'undecodable'; readonly error: string };

/**
 * The strategic merge patch in a request's body; `null` is an empty one. The error is Go's own.
 * Follows apiserver pkg/endpoints/handlers/patch.go smpPatcher.
 */
export function decodeStrategicPatch(text: string): DecodedStrategicPatch {
  const reading = readJson(text);
  if (reading.outcome === 'unreadable') return { outcome: 'undecodable', error: reading.error };
  const { value, hasDuplicates, keys } = reading.json;
  const patch = value ?? {};
  if (!isObject(patch)) {
    const error = `json: cannot unmarshal ${jsonKindOf(patch)} into Go value of type map[string]interface {}`;
    return { outcome: 'undecodable', error };
  }
  const tooLarge = tooLargeNumberIn(reading.json);
  if (tooLarge !== undefined) return { outcome: 'undecodable', error: tooLarge };
  const duplicates = hasDuplicates ? keys().filter(({ duplicate }) => duplicate) : [];
  return { outcome: 'decoded', patch, strict: duplicates.map(({ path }) => `duplicate field "${path}"`) };
}

function jsonKindOf(value: JsonDocument): string {
  const type = goTypeOf(value);
  if (type === 'string' || type === 'bool') return type;
  return type === '[]interface {}' ? 'array' : 'number';
}
