import { isJsonObject, isList, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import { leaf, fieldSetNode, type FieldSet, type FieldSetDraft } from './field-set.ts';
import { elementName } from './path-element.ts';
import { deduced, type ListType, type MapType, type ValueType } from './value-type.ts';

/** Leaves, list elements, map keys and empty values. Follows structured-merge-diff typed/tofieldset.go. */
export const fieldSetOf = (type: ValueType, value: JsonValue): FieldSet => below(type, value) ?? leaf;

/** `leaf`: the path itself is the member; undefined: no member. */
function below(type: ValueType, value: JsonValue): FieldSet | undefined {
  if (type.is === 'list') return type.relation === 'atomic' ? leaf : belowList(type, isList(value) ? value : []);
  if (type.is === 'map') return type.atomic ? leaf : belowMap(type, isJsonObject(value) ? value : {});
  return type.is === 'deduced' && isJsonObject(value) ? belowMap(undefined, value) : leaf;
}

function belowMap(type: MapType | undefined, object: JsonObject): FieldSet | undefined {
  const fields: FieldSetDraft = {};
  for (const name in object) {
    const value = object[name] ?? null;
    const inner = below(type?.field(name) ?? deduced, value);
    const node = fieldSetNode(type?.declares(name) !== true || isNothing(value) || inner === leaf, inner);
    if (node) fields[`f:${name}`] = node;
  }
  return Object.keys(fields).length === 0 ? undefined : fields;
}

const isNothing = (value: JsonValue): boolean =>
  value === null || (isJsonObject(value) && Object.keys(value).length === 0);

function belowList(type: ListType, list: readonly JsonValue[]): FieldSet | undefined {
  const elements: FieldSetDraft = {};
  for (const [name, items] of itemsByName(list, type)) {
    const [only] = items;
    const inner = items.length > 1 || only === undefined ? leaf : below(type.element(), only);
    elements[name] = fieldSetNode(true, inner) ?? leaf;
  }
  return list.length === 0 ? undefined : elements;
}

/** Adds the struct fields on the paths of the set as members. */
export const withNamedFields = (type: ValueType, set: FieldSet): FieldSet => withFields(type, set, false);

function withFields(type: ValueType, set: FieldSet, isMember: boolean): FieldSet {
  const elements = Object.keys(set);
  if (elements.length === 0) return set; // It is a leaf.
  const named: FieldSetDraft = isMember ? { '.': leaf } : {};
  for (const element of elements) {
    const node = set[element] ?? leaf;
    named[element] =
      element === '.' ? node : withFields(elementType(type, element), node, isStructField(type, element));
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

export function itemsByName(list: readonly JsonValue[], type: ListType): ItemsByName {
  const items = new Map<string, JsonValue[]>();
  for (const item of list) {
    const name = elementName(item, type);
    const others = items.get(name);
    if (others) others.push(item);
    else items.set(name, [item]);
  }
  return items;
}
