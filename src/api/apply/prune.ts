import { isJsonObject, isList, type JsonObject, type JsonValue, isEmptyObject } from '../../machinery/json/json.ts';
import { mapFields } from '../../machinery/meta/object.ts';
import { fieldSetOf, withNamedFields } from './field-set-of.ts';
import { difference, intersection, isLeaf, isMember, leaf, union, type FieldSet } from './field-set.ts';
import type { Manager, Managers } from './managed-fields.ts';
import { elementName } from './path-element.ts';
import { deduced, type ListType, type MapType, type ValueType } from './value-type.ts';

export interface Versions {
  readonly typeIn: (apiVersion: string) => ValueType | undefined;
  /** undefined for an unknown version. */
  readonly convert: (value: JsonValue, apiVersion: string) => Promise<JsonValue | undefined>;
  /** Whether a nested object or list that loses its last item stays, empty. */
  readonly keepsEmpty: boolean;
}

/**
 * Removes what the manager applied last time but not now, unless another manager owns it. `managers` has its new
 * fields, `last` its old ones. Follows structured-merge-diff merge/update.go prune.
 */
export async function pruneManaged(
  versions: Versions,
  merged: JsonValue,
  { managers, last, apiVersion }: { readonly managers: Managers; readonly last: Manager; readonly apiVersion: string },
): Promise<JsonValue> {
  if (isLeaf(last.fields)) return merged;
  const type = versions.typeIn(last.apiVersion);
  const before = await versions.convert(merged, last.apiVersion);
  if (!type || before === undefined) return merged;
  const lastFields = withNamedFields(type, last.fields);
  let pruned = removeItems(type, before, lastFields, versions.keepsEmpty);
  pruned = await withOwned(versions, { merged: before, pruned, apiVersion: last.apiVersion }, managers);
  const prunedFields = allFields(type, pruned);
  const mergedFields = allFields(type, before);
  // Other removed fields were not owned by the manager.
  const gone = difference(mergedFields, prunedFields);
  const unowned = intersection(gone, lastFields);
  const kept = removeItems(type, before, unowned, versions.keepsEmpty);
  return (await versions.convert(kept, apiVersion)) ?? kept;
}

const allFields = (type: ValueType, value: JsonValue): FieldSet => withNamedFields(type, fieldSetOf(type, value));

interface Pruning {
  readonly merged: JsonValue;
  readonly pruned: JsonValue;
  readonly apiVersion: string;
}

/** Restores owned fields, version by version, the pruned version first. */
async function withOwned(versions: Versions, pruning: Pruning, managers: Managers): Promise<JsonValue> {
  const owned = new Map<string, FieldSet>([[pruning.apiVersion, leaf]]);
  for (const { apiVersion, fields } of managers.values()) {
    owned.set(apiVersion, union(owned.get(apiVersion) ?? leaf, fields));
  }
  let { pruned } = pruning;
  for (const [apiVersion, fields] of owned) {
    const type = versions.typeIn(apiVersion);
    const merged = await versions.convert(pruning.merged, apiVersion);
    const current = await versions.convert(pruned, apiVersion);
    if (!type || merged === undefined || current === undefined) continue;
    const currentFields = allFields(type, current);
    const named = withNamedFields(type, fields);
    const keep = union(currentFields, named);
    const mergedFields = allFields(type, merged);
    const lost = difference(mergedFields, keep);
    const added = removeItems(type, merged, lost, versions.keepsEmpty);
    pruned = (await versions.convert(added, pruning.apiVersion)) ?? pruned;
  }
  return isJsonObject(pruned) ? pruned : pruning.pruned;
}

/**
 * An object or list left empty becomes null; before structured-merge-diff 6.4 (Kubernetes 1.37) nested ones stay,
 * empty. Follows structured-merge-diff typed/remove.go.
 */
export function removeItems(type: ValueType, value: JsonValue, set: FieldSet, keepsEmpty: boolean): JsonValue {
  if (isLeaf(set)) return value;
  if (isList(value)) {
    return type.is === 'list' && type.relation !== 'atomic' ? removeFromList(type, value, set, keepsEmpty) : value;
  }
  if (!isJsonObject(value)) return value;
  if (type.is === 'map') return type.atomic ? value : removeFromMap(type, value, set, keepsEmpty);
  return type.is === 'deduced' ? removeFromMap(undefined, value, set, keepsEmpty) : value;
}

function removeInside(type: ValueType, value: JsonValue, set: FieldSet, keepsEmpty: boolean): JsonValue {
  const left = removeItems(type, value, set, keepsEmpty);
  if (left !== null || !keepsEmpty) return left;
  if (isList(value)) return [];
  return isJsonObject(value) ? {} : null;
}

function removeFromMap(type: MapType | undefined, object: JsonObject, set: FieldSet, keepsEmpty: boolean): JsonValue {
  const kept = mapFields(Object.keys(object), (name) => {
    const node = set[`f:${name}`];
    if (isMember(node)) return undefined;
    const value = object[name] ?? null;
    return node ? removeInside(type?.field(name) ?? deduced, value, node, keepsEmpty) : value;
  });
  return isEmptyObject(kept) ? null : kept;
}

function removeFromList(type: ListType, list: readonly JsonValue[], set: FieldSet, keepsEmpty: boolean): JsonValue {
  const kept: JsonValue[] = [];
  for (const item of list) {
    const node = set[elementName(item, type)] ?? undefined;
    if (!isMember(node)) kept.push(node ? removeInside(type.element(), item, node, keepsEmpty) : item);
  }
  return kept.length === 0 ? null : kept;
}
