import { goQuote } from '../apimachinery/field-error.ts';
import { isJsonObject } from '../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../apimachinery/json.ts';
import { writeJsonForGo } from '../apimachinery/json-writer.ts';
import { leaf } from './field-set.ts';
import type { FieldSet, FieldSetDraft } from './field-set.ts';
import type { ListType } from './value-type.ts';

/**
 * How a path names an element of a list: `k:{"name":"c"}` by its keys, `v:"x"` by its value.
 * Follows structured-merge-diff typed/helpers.go listItemToPathElement.
 */
export function elementName(item: JsonValue, list: ListType): string {
  if (list.relation === 'set') return `v:${writeJsonForGo(item)}`;
  const type = list.element();
  const keyed = isJsonObject(item) ? item : {};
  const parts = list.keys.flatMap((key) => {
    const value = keyed[key] ?? (type.is === 'map' ? type.keyDefault(key) : undefined);
    return value === undefined ? [] : [`${JSON.stringify(key)}:${writeJsonForGo(value)}`];
  });
  return `k:{${parts.join(',')}}`;
}

/** The set with its elements in the order in which managedFields shows them. Follows fieldpath/element.go Less. */
export function sorted(set: FieldSet): FieldSet {
  const elements = Object.keys(set);
  if (elements.length === 0) return leaf;
  if (elements.length > 1) elements.sort(compareElements);
  const ordered: FieldSetDraft = {};
  for (const element of elements) ordered[element] = sorted(set[element] ?? leaf);
  return ordered;
}

const ranks: Readonly<Record<string, number>> = { '.': 0, f: 1, k: 2, v: 3, i: 4 };

/** Fields by name, then keys, values and indices, each by value. */
export function compareElements(a: string, b: string): number {
  const rank = (ranks[a.charAt(0)] ?? 5) - (ranks[b.charAt(0)] ?? 5);
  if (rank !== 0) return rank;
  if (a.startsWith('f:')) return compareTexts(a, b);
  const [left, right] = [valueOf(a), valueOf(b)];
  return isJsonObject(left) && isJsonObject(right) ? compareKeys(left, right) : compareValues(left, right);
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

function valueOf(element: string): JsonValue {
  const value: JsonValue = JSON.parse(element.slice(2));
  return value;
}

function compareKeys(a: JsonObject, b: JsonObject): number {
  const [left, right] = [Object.entries(a), Object.entries(b)];
  for (const [index, [name, value]] of left.entries()) {
    const [otherName, other] = right[index] ?? [];
    if (otherName === undefined) return 1;
    const order = compareTexts(name, otherName) || compareValues(value ?? null, other ?? null);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function compareValues(a: JsonValue, b: JsonValue): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const kind = kindRank(a) - kindRank(b);
  return kind === 0 ? compareTexts(writeJsonForGo(a), writeJsonForGo(b)) : kind;
}

const kinds = ['number', 'string', 'boolean'];
const kindRank = (value: JsonValue): number => (kinds.indexOf(typeof value) + kinds.length + 1) % (kinds.length + 1);

/** A path as messages print it: `.spec.containers[name="c"].image`. Follows fieldpath/element.go and path.go String. */
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

const valueText = (value: JsonValue): string => (typeof value === 'string' ? goQuote(value) : writeJsonForGo(value));
