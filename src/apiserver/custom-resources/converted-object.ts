import { writeJsonForGo } from '../../machinery/json/json-writer.ts';
import { isJsonObject } from '../../machinery/json/json.ts';
import type { JsonDocument, JsonObject } from '../../machinery/json/json.ts';
import { plainValue } from '../../machinery/json/json-reader.ts';
import { tooLargeNumber } from '../../machinery/json/too-large-number.ts';

export type ConvertedObject =
  | { readonly outcome: 'read'; readonly object: JsonObject }
  /** Upstream tells it alone, without the name of the converter. */
  | { readonly outcome: 'unreadable'; readonly error: string };

const unreadable = (error: string): ConvertedObject => ({ outcome: 'unreadable', error });

/**
 * An item of a converter's answer as an object that states its kind. Follows apiextensions-apiserver
 * pkg/apiserver/conversion/webhook_converter.go getRawExtensionObject, and apimachinery
 * pkg/apis/meta/v1/unstructured/helpers.go unstructuredJSONScheme for the texts.
 */
export function readConvertedObject(document: JsonDocument): ConvertedObject {
  // Go's raw value of a null is no text at all.
  if (document === null) return unreadable('unexpected end of JSON input');
  const value = plainValue(document);
  if (!isJsonObject(value)) {
    return unreadable(`json: cannot unmarshal ${wordOf(value)} into Go value of type map[string]interface {}`);
  }
  const tooLarge = value === document ? undefined : tooLargeNumber(document);
  if (tooLarge !== undefined) return unreadable(tooLarge);
  const { kind } = value;
  if (kind === undefined || kind === '') return unreadable(`Object 'Kind' is missing in '${writeJsonForGo(value)}'`);
  return { outcome: 'read', object: value };
}

function wordOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'string' ? 'string' : typeof value === 'boolean' ? 'bool' : 'number';
}
