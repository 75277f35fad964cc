import { mapFields } from '../../machinery/meta/map-fields.ts';
import { isJsonObject, isList } from '../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';
import { isLeaf, isMember } from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import { elementName } from './path-element.ts';
import { deduced } from './value-type.ts';
import type { ListType, MapType, ValueType } from './value-type.ts';

/**
 * The value without the members of a set. One from which everything went becomes null; inside another it stays, empty.
 * Follows structured-merge-diff typed/remove.go.
 */
export function removeItems(type: ValueType, value: JsonValue, set: FieldSet): JsonValue {
  if (isLeaf(set)) return value;
  if (isList(value)) return type.is === 'list' && type.relation !== 'atomic' ? removeFromList(type, value, set) : value;
  if (!isJsonObject(value)) return value;
  if (type.is === 'map') return type.atomic ? value : removeFromMap(type, value, set);
  return type.is === 'deduced' ? removeFromMap(undefined, value, set) : value;
}

function removeInside(type: ValueType, value: JsonValue, set: FieldSet): JsonValue {
  const left = removeItems(type, value, set);
  if (left !== null) return left;
  if (isList(value)) return [];
  return isJsonObject(value) ? {} : null;
}

function removeFromMap(type: MapType | undefined, object: JsonObject, set: FieldSet): JsonValue {
  const kept = mapFields(Object.keys(object), (name) => {
    const node = set[`f:${name}`];
    if (isMember(node)) return undefined;
    const value = object[name] ?? null;
    return node ? removeInside(type?.field(name) ?? deduced, value, node) : value;
  });
  return isEmpty(kept) ? null : kept;
}

function isEmpty(object: JsonObject): boolean {
  for (const _name in object) return false;
  return true;
}

function removeFromList(type: ListType, list: readonly JsonValue[], set: FieldSet): JsonValue {
  const kept: JsonValue[] = [];
  for (const item of list) {
    const node = set[elementName(item, type)] ?? undefined;
    if (!isMember(node)) kept.push(node ? removeInside(type.element(), item, node) : item);
  }
  return kept.length === 0 ? null : kept;
}
