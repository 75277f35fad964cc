import { goQuote } from '../apimachinery/field-error.ts';
import { isJsonObject } from '../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../apimachinery/json.ts';
import { writeJsonForGo } from '../apimachinery/json-writer.ts';
import { isLeaf, leaf } from './field-set.ts';
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
  let parts = '';
  for (const key of list.keys) {
    const value = keyed[key] ?? (type.is === 'map' ? type.keyDefault(key) : undefined);
    if (value !== undefined) parts += `${parts === '' ? '' : ','}${JSON.stringify(key)}:${writeJsonForGo(value)}`;
  }
  return `k:{${parts}}`;
}

/**
 * The set with its elements in the order in which managedFields shows them; the same set when they are.
 * Follows fieldpath/element.go Less.
 */
export function sorted(set: FieldSet): FieldSet {
  if (isLeaf(set)) return leaf;
  if (knownSorted.has(set) || longSorted.has(set)) return set;
  const elements = Object.keys(set);
  const isSorted = elements.every((element, at) => at === 0 || compareElements(elements[at - 1] ?? '', element) < 0);
  if (!isSorted) sortElements(elements);
  const nodes = elements.map((element) => sorted(set[element] ?? leaf));
  if (isSorted && elements.every((element, at) => set[element] === nodes[at])) return set;
  const ordered: FieldSetDraft = {};
  for (const [at, element] of elements.entries()) ordered[element] = nodes[at] ?? leaf;
  return ordered;
}

/** Sets that were made in order, all that is in them included; whoever made them forgets them. */
export const knownSorted = new Set<FieldSet>();

/** The same of long ones, which nobody keeps. */
export const longSorted = new WeakSet<FieldSet>();

const ranks: Readonly<Record<string, number>> = { '.': 0, f: 1, k: 2, v: 3, i: 4 };

/** Fields by name, then keys, values and indices, each by value. */
export function compareElements(a: string, b: string): number {
  if (isPlain(a) && isPlain(b)) return compareTexts(a, b);
  const rank = (ranks[a.charAt(0)] ?? 5) - (ranks[b.charAt(0)] ?? 5);
  if (rank !== 0) return rank;
  const [left, right] = [valueOf(a), valueOf(b)];
  return isJsonObject(left) && isJsonObject(right) ? compareKeys(left, right) : compareValues(left, right);
}

/** Sorts elements as managedFields shows them, in place. */
export const sortElements = (elements: string[]): string[] =>
  elements.every(isPlain) ? elements.sort() : elements.sort(compareElements);

/** Is it a field, or a key or value of one text without characters that JSON or Go may write otherwise? Such stand in the order of their texts. */
const isPlain = (element: string): boolean => element.startsWith('f:') || oneText.test(element);

const oneText = /^(?:k:\{"[\w./-]+":"[\w./-]*"\}|v:"[\w./-]*")$/;

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
