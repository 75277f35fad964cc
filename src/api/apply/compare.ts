import {
  isJsonObject,
  isList,
  type JsonObject,
  type JsonValue,
  isEmptyObject,
  sortedNames,
} from '../../machinery/json/json.ts';
import { sameJson } from '../../machinery/json/json-equal.ts';
import { leaf, createNode, type FieldSet, type FieldSetDraft } from './field-set.ts';
import { groupItemsByName } from './to-field-set.ts';
import { deduced, deducedMapType, type ListType, type MapType, type ValueType } from './value-type.ts';
import { sortedSets, sortElements, listItemToPathElement } from './path-element.ts';

export interface FieldSetComparison {
  readonly changed: FieldSet | undefined;
  readonly removed: FieldSet | undefined;
}

/**
 * undefined is an absent value. A new map or list is a member itself; one that was there and is empty on both sides is
 * a leaf. Follows structured-merge-diff typed/compare.go.
 */
export function compareFields(
  type: ValueType,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): FieldSetComparison {
  if (before === after) return unchanged;
  if (before === undefined && after !== undefined)
    return { changed: collectAddedFields(type, after), removed: undefined };
  if (type.is === 'list') return compareAsList(type, before, after);
  if (type.is === 'map') return compareAsMap(type, before, after);
  if (type.is === 'scalar') return compareLeaves(before, after);
  return compareDeduced(before, after);
}

const unchanged: FieldSetComparison = { changed: undefined, removed: undefined };
const leafChanged: FieldSetComparison = { changed: leaf, removed: undefined };
const leafRemoved: FieldSetComparison = { changed: undefined, removed: leaf };

function compareLeaves(before: JsonValue | undefined, after: JsonValue | undefined): FieldSetComparison {
  if (after === undefined) return before === undefined ? unchanged : leafRemoved;
  return before !== undefined && sameJson(before, after) ? unchanged : leafChanged;
}

/** A map replaced by another type is modified and loses its fields; the reverse gains them. null counts as either. */
function compareDeduced(before: JsonValue | undefined, after: JsonValue | undefined): FieldSetComparison {
  const [left, right] = [isJsonObject(before), isJsonObject(after)];
  if ((left && (right || isAbsentOrNull(after))) || (right && before === null)) {
    return compareAsMap(deducedMapType, before, after);
  }
  if (left) return { changed: leaf, removed: compareAsMap(deducedMapType, before, null).removed };
  return isJsonObject(after)
    ? { changed: collectAddedFields(deducedMapType, after), removed: undefined }
    : compareLeaves(before, after);
}

const isAbsentOrNull = (value: JsonValue | undefined): boolean => value === undefined || value === null;

function compareAsMap(type: MapType, before: JsonValue | undefined, after: JsonValue | undefined): FieldSetComparison {
  const left = isJsonObject(before) ? before : undefined;
  const right = isJsonObject(after) ? after : undefined;
  if (type.atomic || (isEmptyObject(left) && isEmptyObject(right))) return compareLeaves(before, after);
  const changed: FieldSetDraft = {};
  const removed: FieldSetDraft = {};
  for (const name in right) {
    const [value, old] = [right[name], readMember(left, name)];
    if (value !== old)
      collectAdded(`f:${name}`, compareFields(type.field(name) ?? deduced, old, value), changed, removed);
  }
  for (const name in left) {
    if (readMember(right, name) !== undefined) continue;
    collectAdded(`f:${name}`, compareFields(type.field(name) ?? deduced, left[name], undefined), changed, removed);
  }
  return { changed: createNode(before === undefined, changed), removed: createNode(after === undefined, removed) };
}

const readMember = (object: JsonObject | undefined, name: string): JsonValue | undefined =>
  object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;

function collectAdded(
  element: string,
  comparison: FieldSetComparison,
  changed: FieldSetDraft,
  removed: FieldSetDraft,
): void {
  if (comparison.changed) setElement(changed, element, comparison.changed);
  if (comparison.removed) setElement(removed, element, comparison.removed);
}

function setElement(draft: FieldSetDraft, element: string, node: FieldSet): void {
  draft[element] = node; // Safe for any name: elements have a prefix.
}

function compareAsList(
  type: ListType,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): FieldSetComparison {
  const left = isList(before) ? before : emptyItems;
  const right = isList(after) ? after : emptyItems;
  if (type.relation === 'atomic' || (left.length === 0 && right.length === 0)) return compareLeaves(before, after);
  const changed: FieldSetDraft = {};
  const removed: FieldSetDraft = {};
  const [old, current] = [groupItemsByName(left, type), groupItemsByName(right, type)];
  for (const [name, items] of current) {
    collectAdded(name, compareItems(type, old.get(name) ?? emptyItems, items), changed, removed);
  }
  for (const [name, items] of old) {
    if (!current.has(name)) collectAdded(name, compareItems(type, items, emptyItems), changed, removed);
  }
  return { changed: createNode(before === undefined, changed), removed: createNode(after === undefined, removed) };
}

/** Elements with the same name count as one leaf; when one of them remains, its fields are new. */
export function compareItems(
  type: ListType,
  before: readonly JsonValue[],
  after: readonly JsonValue[],
): FieldSetComparison {
  const [old, current] = [before[0], after[0]];
  if (before.length > 1 && after.length > 1) return compareLeaves(before, after);
  if (before.length > 1) {
    return { changed: current === undefined ? undefined : collectAddedFields(type.element(), current), removed: leaf };
  }
  if (after.length > 1) {
    const gone = old === undefined ? unchanged : compareFields(type.element(), old, undefined);
    return { changed: leaf, removed: gone.removed };
  }
  return compareFields(type.element(), old, current);
}

const emptyItems: readonly JsonValue[] = [];

/**
 * Every field of an added value; a map or list is a member itself. Follows structured-merge-diff typed/compare.go.
 * Written as the managedFields text and parsed, which is faster than building and sorting sets.
 */
export function collectAddedFields(type: ValueType, value: JsonValue): FieldSet {
  const parts: string[] = [];
  writeAdded(type, value, parts);
  return parts.length === 1 ? leaf : parseFieldSet(parts.join(''));
}

const isEmptyBelow = '{}';
export const onlyMember = '{".":{}';

export function writeAdded(type: ValueType, value: JsonValue, parts: string[]): void {
  if (type.is === 'list' && isList(value)) writeList(type, value, parts);
  else if (type.is === 'map' && isJsonObject(value)) writeMap(type, value, parts);
  else if (type.is === 'deduced' && isJsonObject(value)) writeMap(deducedMapType, value, parts);
  else parts.push(isEmptyBelow);
}

function writeMap(type: MapType, object: JsonObject, parts: string[]): void {
  if (type.atomic) return void parts.push(isEmptyBelow);
  const start = parts.push(onlyMember);
  for (const name of sortedNames(object)) {
    const value = object[name];
    if (value === undefined) continue;
    parts.push(formatFieldKey(name));
    writeAdded(type.field(name) ?? deduced, value, parts);
  }
  if (parts.length > start) parts.push('}');
  else parts[start - 1] = isEmptyBelow;
}

function writeList(type: ListType, list: readonly JsonValue[], parts: string[]): void {
  if (type.relation === 'atomic' || list.length === 0) return void parts.push(isEmptyBelow);
  const named = indexByPlainKey(type, list);
  if (named) return writeKeyedItems(type, named, parts);
  const items = new Map<string, JsonValue>();
  const of = type.element();
  // Elements that repeat a name are one leaf together, as null is.
  for (const item of list) {
    const name = listItemToPathElement(item, type);
    items.set(name, items.has(name) ? null : item);
  }
  parts.push(onlyMember);
  for (const name of sortElements([...items.keys()])) {
    parts.push(',', JSON.stringify(name), ':');
    writeAdded(of, items.get(name) ?? null, parts);
  }
  parts.push('}');
}

/** The items by their only key, when each has another and it is printed as it is; else undefined. */
function indexByPlainKey({ keys }: ListType, list: readonly JsonValue[]): ReadonlyMap<string, JsonObject> | undefined {
  const [key, ...more] = keys;
  if (key === undefined || more.length > 0 || !needsNoEscape.test(key)) return undefined;
  const items = new Map<string, JsonObject>();
  for (const item of list) {
    if (!isJsonObject(item)) return undefined;
    const name = item[key];
    if (typeof name !== 'string' || !needsNoEscape.test(name)) return undefined;
    items.set(name, item);
  }
  return items.size === list.length ? items : undefined;
}

function writeKeyedItems(type: ListType, items: ReadonlyMap<string, JsonObject>, parts: string[]): void {
  const of = type.element();
  const before = `,"k:{\\"${type.keys[0] ?? ''}\\":\\"`;
  parts.push(onlyMember);
  for (const name of [...items.keys()].sort()) {
    parts.push(before, name, '\\"}":');
    writeAdded(of, items.get(name) ?? null, parts);
  }
  parts.push('}');
}

export const formatFieldKey = (name: string): string =>
  needsNoEscape.test(name) ? `,"f:${name}":` : `,${JSON.stringify(`f:${name}`)}:`;

const needsNoEscape = /^[\w./-]*$/;

const maxCachedSets = 1000;
const maxCachedCharacters = 4 * 1024 * 1024;
const maxCachedLength = 64 * 1024;
const cachedSets = new Map<string, FieldSet>();
let cachedCharacters = 0;

/** Equal texts share one set. */
export function parseFieldSet(text: string): FieldSet {
  const cached = cachedSets.get(text);
  if (cached) return cached;
  const set: FieldSet = JSON.parse(text);
  if (text.length > maxCachedLength) return set;
  if (cachedSets.size === maxCachedSets || cachedCharacters + text.length > maxCachedCharacters) {
    cachedSets.clear();
    sortedSets.clear();
    cachedCharacters = 0;
  }
  cachedSets.set(text, set);
  sortedSets.add(set);
  cachedCharacters += text.length;
  return set;
}
