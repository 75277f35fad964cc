import { isJsonObject, isList, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import { leaf, createNode, type FieldSet, type FieldSetDraft } from './field-set.ts';
import { listItemToPathElement } from './path-element.ts';
import { deduced, type ListType, type MapType, type ValueType } from './value-type.ts';

/** Leaves, list elements, map keys and empty values. Follows structured-merge-diff typed/tofieldset.go. */
export const toFieldSet = (type: ValueType, value: JsonValue): FieldSet => toNode(type, value) ?? leaf;

/** `leaf`: the path itself is the member; undefined: no member. */
function toNode(type: ValueType, value: JsonValue): FieldSet | undefined {
  if (type.is === 'list') return type.relation === 'atomic' ? leaf : toListNode(type, isList(value) ? value : []);
  if (type.is === 'map') return type.atomic ? leaf : toMapNode(type, isJsonObject(value) ? value : {});
  return type.is === 'deduced' && isJsonObject(value) ? toMapNode(undefined, value) : leaf;
}

function toMapNode(type: MapType | undefined, object: JsonObject): FieldSet | undefined {
  const fields: FieldSetDraft = {};
  for (const name in object) {
    const value = object[name] ?? null;
    const inner = toNode(type?.field(name) ?? deduced, value);
    const node = createNode(type?.declares(name) !== true || isNullOrEmptyObject(value) || inner === leaf, inner);
    if (node) fields[`f:${name}`] = node;
  }
  return Object.keys(fields).length === 0 ? undefined : fields;
}

const isNullOrEmptyObject = (value: JsonValue): boolean =>
  value === null || (isJsonObject(value) && Object.keys(value).length === 0);

function toListNode(type: ListType, list: readonly JsonValue[]): FieldSet | undefined {
  const elements: FieldSetDraft = {};
  for (const [name, items] of groupItemsByName(list, type)) {
    const [only] = items;
    const inner = items.length > 1 || only === undefined ? leaf : toNode(type.element(), only);
    elements[name] = createNode(true, inner) ?? leaf;
  }
  return list.length === 0 ? undefined : elements;
}

/** Adds the struct fields on the paths of the set as members. */
export const ensureNamedFieldsAreMembers = (type: ValueType, set: FieldSet): FieldSet =>
  ensureMembers(type, set, false);

function ensureMembers(type: ValueType, set: FieldSet, isMember: boolean): FieldSet {
  const elements = Object.keys(set);
  if (elements.length === 0) return set; // It is a leaf.
  const named: FieldSetDraft = isMember ? { '.': leaf } : {};
  for (const element of elements) {
    const node = set[element] ?? leaf;
    named[element] =
      element === '.' ? node : ensureMembers(elementType(type, element), node, isStructField(type, element));
  }
  return named;
}

const isStructField = (type: ValueType, element: string): boolean =>
  element.startsWith('f:') && type.is === 'map' && type.declares(element.slice(2));

export function elementType(type: ValueType, element: string): ValueType {
  if (type.is === 'map' && element.startsWith('f:')) return type.field(element.slice(2)) ?? deduced;
  return type.is === 'list' ? type.element() : deduced;
}

type ItemsByName = ReadonlyMap<string, readonly JsonValue[]>;

export function groupItemsByName(list: readonly JsonValue[], type: ListType): ItemsByName {
  const items = new Map<string, JsonValue[]>();
  for (const item of list) {
    const name = listItemToPathElement(item, type);
    const sameName = items.get(name);
    if (sameName) sameName.push(item);
    else items.set(name, [item]);
  }
  return items;
}
