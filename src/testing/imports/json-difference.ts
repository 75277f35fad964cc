import { isJsonObject } from '../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';
import { sameJson } from '../../machinery/json/json-equal.ts';

/**
 * The JSON patch that makes the second value of the first. It can be applied to an object that has more than the first: fields that
 * a server filled in, and elements that it appended to lists.
 */
export function jsonDifference(before: JsonValue, after: JsonValue, path = ''): readonly JsonObject[] {
  if (sameJson(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) return listDifference(before, after, path);
  if (!isJsonObject(before) || !isJsonObject(after)) return [{ op: 'replace', path, value: after }];
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields.flatMap((field): readonly JsonObject[] => {
    const at = `${path}/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const [own, other] = [before[field], after[field]];
    if (other === undefined) return own === undefined ? [] : [{ op: 'remove', path: at }];
    return own === undefined ? [{ op: 'add', path: at, value: other }] : jsonDifference(own, other, at);
  });
}

function listDifference(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  path: string,
): readonly JsonObject[] {
  const common = Math.min(before.length, after.length);
  return [
    ...before.slice(0, common).flatMap((one, at) => jsonDifference(one, after[at] ?? null, `${path}/${at}`)),
    ...before.slice(common).map((): JsonObject => ({ op: 'remove', path: `${path}/${common}` })),
    ...after.slice(common).map((value, at): JsonObject => ({ op: 'add', path: `${path}/${common + at}`, value })),
  ];
}
