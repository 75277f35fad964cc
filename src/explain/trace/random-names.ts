import { isJsonObject } from '../../machinery/json/json.ts';
import type { JsonValue } from '../../machinery/json/json.ts';

/** The volume that the ServiceAccount plugin adds has a name of its own in every Pod. */
export const withoutRandomName = (text: string): string =>
  text.startsWith('kube-api-access-') && /^[a-z0-9]{5}$/.test(text.slice('kube-api-access-'.length))
    ? 'kube-api-access-<random>'
    : text;

/** A copy with every string in it replaced, the values and not the names of fields. */
export function mapStrings(value: JsonValue | undefined, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item: JsonValue) => mapStrings(item, change));
  if (!isJsonObject(value)) return value ?? null;
  return Object.fromEntries(Object.entries(value).map(([field, one]) => [field, mapStrings(one, change)]));
}
