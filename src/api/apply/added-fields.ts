import { isJsonObject, isList, sortedNames, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import { leaf, type FieldSet } from './field-set.ts';
import { knownSorted, sortElements, elementName } from './path-element.ts';
import { deduced, deducedMap, type ListType, type MapType, type ValueType } from './value-type.ts';

/**
 * Every field of an added value; a map or list is a member itself. Follows structured-merge-diff typed/compare.go.
 * Written as the managedFields text and parsed, which is faster than building and sorting sets.
 */
export function addedFields(type: ValueType, value: JsonValue): FieldSet {
  const parts: string[] = [];
  writeAdded(type, value, parts);
  return parts.length === 1 ? leaf : setOf(parts.join(''));
}

const nothingBelow = '{}';
export const memberItself = '{".":{}';

export function writeAdded(type: ValueType, value: JsonValue, parts: string[]): void {
  if (type.is === 'list' && isList(value)) writeList(type, value, parts);
  else if (type.is === 'map' && isJsonObject(value)) writeMap(type, value, parts);
  else if (type.is === 'deduced' && isJsonObject(value)) writeMap(deducedMap, value, parts);
  else parts.push(nothingBelow);
}

function writeMap(type: MapType, object: JsonObject, parts: string[]): void {
  if (type.atomic) return void parts.push(nothingBelow);
  const start = parts.push(memberItself);
  for (const name of sortedNames(object)) {
    const value = object[name];
    if (value === undefined) continue;
    parts.push(fieldText(name));
    writeAdded(type.field(name) ?? deduced, value, parts);
  }
  if (parts.length > start) parts.push('}');
  else parts[start - 1] = nothingBelow;
}

function writeList(type: ListType, list: readonly JsonValue[], parts: string[]): void {
  if (type.relation === 'atomic' || list.length === 0) return void parts.push(nothingBelow);
  const named = itemsByPlainKey(type, list);
  if (named) return writeNamed(type, named, parts);
  const items = new Map<string, JsonValue>();
  const of = type.element();
  // Elements that repeat a name are one leaf together, as null is.
  for (const item of list) {
    const name = elementName(item, type);
    items.set(name, items.has(name) ? null : item);
  }
  parts.push(memberItself);
  for (const name of sortElements([...items.keys()])) {
    parts.push(',', JSON.stringify(name), ':');
    writeAdded(of, items.get(name) ?? null, parts);
  }
  parts.push('}');
}

/** The items by their only key, when each has another and it is printed as it is; else undefined. */
function itemsByPlainKey({ keys }: ListType, list: readonly JsonValue[]): ReadonlyMap<string, JsonObject> | undefined {
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

function writeNamed(type: ListType, items: ReadonlyMap<string, JsonObject>, parts: string[]): void {
  const of = type.element();
  const before = `,"k:{\\"${type.keys[0] ?? ''}\\":\\"`;
  parts.push(memberItself);
  for (const name of [...items.keys()].sort()) {
    parts.push(before, name, '\\"}":');
    writeAdded(of, items.get(name) ?? null, parts);
  }
  parts.push('}');
}

export const fieldText = (name: string): string =>
  needsNoEscape.test(name) ? `,"f:${name}":` : `,${JSON.stringify(`f:${name}`)}:`;

const needsNoEscape = /^[\w./-]*$/;

const maxKept = 1000;
const maxCharacters = 4 * 1024 * 1024;
const maxKeptLength = 64 * 1024;
const known = new Map<string, FieldSet>();
let characters = 0;

/** Equal texts share one set. */
export function setOf(text: string): FieldSet {
  const same = known.get(text);
  if (same) return same;
  const set: FieldSet = JSON.parse(text);
  if (text.length > maxKeptLength) return set;
  if (known.size === maxKept || characters + text.length > maxCharacters) {
    known.clear();
    knownSorted.clear();
    characters = 0;
  }
  known.set(text, set);
  knownSorted.add(set);
  characters += text.length;
  return set;
}
