import { goQuote } from '../../machinery/meta/field-error.ts';
import { isJsonObject, type JsonValue } from '../../machinery/json/json.ts';
import { writeJsonForGo } from '../../machinery/json/json-writer.ts';
import type { ListType } from './value-type.ts';
import { compareTexts } from '../../machinery/go/strings.ts';
import { leaf, type FieldSet, type FieldSetDraft } from './field-set.ts';

/**
 * The path element of a list item: `k:{"name":"c"}` by key, `v:"x"` by value. Follows structured-merge-diff
 * typed/helpers.go listItemToPathElement.
 */
export function listItemToPathElement(item: JsonValue, list: ListType): string {
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

export function parseElementValue(element: string): JsonValue {
  const value: JsonValue = JSON.parse(element.slice(2));
  return value;
}

/** `.spec.containers[name="c"].image`. Follows fieldpath/element.go and path.go String. */
export const formatManagedPath = (path: readonly string[]): string => path.map(formatElement).join('');

function formatElement(element: string): string {
  if (element.startsWith('f:')) return `.${element.slice(2)}`;
  if (element.startsWith('i:')) return `[${element.slice(2)}]`;
  const value = parseElementValue(element);
  if (element.startsWith('v:') || !isJsonObject(value)) return `[=${formatValue(value)}]`;
  return `[${Object.entries(value)
    .map(([key, member]) => `${key}=${formatValue(member ?? null)}`)
    .join(',')}]`;
}

/** Follows structured-merge-diff value/value.go ToString, whose map order is random. */
function formatValue(value: JsonValue): string {
  if (typeof value === 'string') return goQuote(value);
  if (Array.isArray(value)) return `[${value.map(formatValue).join(',')}]`;
  if (!isJsonObject(value)) return writeJsonForGo(value);
  return Object.keys(value)
    .toSorted()
    .map((key) => `${key}=${formatValue(value[key] ?? null)}`)
    .join('');
}

/** The set in managedFields order; the same set if it is sorted. Follows fieldpath/element.go Less. */
export function sortFieldSet(set: FieldSet): FieldSet {
  if (set === leaf || sortedSets.has(set)) return set;
  const names = Object.keys(set);
  if (names.length === 0) return leaf;
  const isSorted = names.every((element, at) => at === 0 || compareElements(names[at - 1] ?? '', element) < 0);
  const elements = isSorted ? names : sortElements([...names]);
  const nodes = elements.map((element) => sortFieldSet(set[element] ?? leaf));
  if (isSorted && elements.every((element, at) => set[element] === nodes[at])) return set;
  const all: FieldSetDraft = {};
  for (const [at, element] of elements.entries()) all[element] = nodes[at] ?? leaf;
  return all;
}

/** Sets built in order, nested sets included. */
export const sortedSets = new Set<FieldSet>();

const elementRanks = '.fkvi';

/** Fields by name, then keys, values and indices, each by value. */
export const compareElements = (a: string, b: string): number => compareParsed(parseElement(a), parseElement(b));

interface ParsedElement {
  readonly element: string;
  readonly plain: boolean;
  readonly rank: number;
  readonly keys?: readonly (readonly [name: string, value: JsonValue | undefined])[];
  readonly value?: JsonValue;
}

function parseElement(element: string): ParsedElement {
  const rank = elementRanks.indexOf(element.charAt(0));
  const plain = isPlainText(element);
  if (rank < 2) return { element, plain, rank };
  const value = parseElementValue(element);
  return isJsonObject(value) ? { element, plain, rank, keys: Object.entries(value) } : { element, plain, rank, value };
}

function compareParsed(a: ParsedElement, b: ParsedElement): number {
  if (a.plain && b.plain) return compareTexts(a.element, b.element);
  if (a.rank !== b.rank) return a.rank - b.rank;
  if (a.keys && b.keys) return compareKeys(a.keys, b.keys);
  return compareValues(a.value ?? null, b.value ?? null);
}

export function sortElements(elements: string[]): string[] {
  if (elements.every(isPlainText)) return elements.sort();
  for (const [at, { element }] of elements.map(parseElement).sort(compareParsed).entries()) elements[at] = element;
  return elements;
}

/** A field, or a single key or value whose JSON text compares as the value does. */
const isPlainText = (element: string): boolean => element.startsWith('f:') || plainKeyOrValue.test(element);

const plainKeyOrValue = /^(?:k:\{"[\w./-]+":"[\w./-]*"\}|v:"[\w./-]*")$/;

type Keys = NonNullable<ParsedElement['keys']>;

function compareKeys(left: Keys, right: Keys): number {
  for (const [at, leftElement] of left.entries()) {
    const other = right[at];
    if (!other) break;
    const order = compareTexts(leftElement[0], other[0]) || compareValues(leftElement[1] ?? null, other[1] ?? null);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function compareValues(a: JsonValue, b: JsonValue): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return compareEscaped(a, b);
  const kind = kindRank(a) - kindRank(b);
  return kind === 0 ? compareTexts(writeJsonForGo(a), writeJsonForGo(b)) : kind;
}

/** Compares escaped as Go does, from the first difference on: texts may be megabytes. */
function compareEscaped(a: string, b: string): number {
  if (a === b) return 0;
  let at = 0;
  while (a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  return compareTexts(writeJsonForGo(a.slice(at, at + 2)), writeJsonForGo(b.slice(at, at + 2)));
}

const scalarKinds = ['number', 'string', 'boolean', 'object'];
const kindRank = (value: JsonValue): number => scalarKinds.indexOf(typeof value);
