import { isJsonObject, type JsonValue } from '../../machinery/json/json.ts';

/** The ServiceAccount plugin gives its volume a random name in every Pod. */
export const withoutRandomName = (text: string): string =>
  text.startsWith('kube-api-access-') && /^[a-z0-9]{5}$/.test(text.slice('kube-api-access-'.length))
    ? 'kube-api-access-<random>'
    : text;

/** Replaces every string value, not the field names. */
export function mapStrings(value: JsonValue | undefined, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item: JsonValue) => mapStrings(item, change));
  if (!isJsonObject(value)) return value ?? null;
  return Object.fromEntries(Object.entries(value).map(([field, one]) => [field, mapStrings(one, change)]));
}
