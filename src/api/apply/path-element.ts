import { goQuote } from '../../machinery/meta/field-error.ts';
import { isJsonObject, type JsonValue } from '../../machinery/json/json.ts';
import { writeJsonForGo } from '../../machinery/json/json-writer.ts';
import type { ListType } from './value-type.ts';

/**
 * The path element of a list item: `k:{"name":"c"}` by key, `v:"x"` by value. Follows structured-merge-diff
 * typed/helpers.go listItemToPathElement.
 */
export function elementName(item: JsonValue, list: ListType): string {
  if (list.relation === 'set') return `v:${writeJsonForGo(item)}`;
  const type = list.element();
  const keyed = isJsonObject(item) ? item : {};
  let parts = '';
  for (const key of list.keys) {
    const value = keyed[key] ?? (type.is === 'map' ? type.keyDefault(key) : undefined);
    if (value !== undefined) parts += `${parts === '' ? '' : ','}${JSON.stringify(key)}:${writeJsonForGo(value)}`;
  }
  return `k:{${parts}}`;
}

export function valueOf(element: string): JsonValue {
  const value: JsonValue = JSON.parse(element.slice(2));
  return value;
}

/** `.spec.containers[name="c"].image`. Follows fieldpath/element.go and path.go String. */
export const pathText = (path: readonly string[]): string => path.map(elementText).join('');

function elementText(element: string): string {
  if (element.startsWith('f:')) return `.${element.slice(2)}`;
  if (element.startsWith('i:')) return `[${element.slice(2)}]`;
  const value = valueOf(element);
  if (element.startsWith('v:') || !isJsonObject(value)) return `[=${valueText(value)}]`;
  return `[${Object.entries(value)
    .map(([key, member]) => `${key}=${valueText(member ?? null)}`)
    .join(',')}]`;
}

/** Follows structured-merge-diff value/value.go ToString, whose map order is random. */
function valueText(value: JsonValue): string {
  if (typeof value === 'string') return goQuote(value);
  if (Array.isArray(value)) return `[${value.map(valueText).join(',')}]`;
  if (!isJsonObject(value)) return writeJsonForGo(value);
  return Object.keys(value)
    .toSorted()
    .map((key) => `${key}=${valueText(value[key] ?? null)}`)
    .join('');
}
