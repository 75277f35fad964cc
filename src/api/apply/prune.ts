import { isJsonObject, isList, type JsonObject, type JsonValue, isEmptyObject } from '../../machinery/json/json.ts';
import { mapFields } from '../../machinery/meta/object.ts';
import { toFieldSet, ensureNamedFieldsAreMembers } from './to-field-set.ts';
import { difference, intersection, isLeaf, isMember, leaf, union, type FieldSet } from './field-set.ts';
import type { Manager, Managers } from './managed-fields.ts';
import { listItemToPathElement } from './path-element.ts';
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
  const lastFields = ensureNamedFieldsAreMembers(type, last.fields);
  let pruned = removeItems(type, before, lastFields, versions.keepsEmpty);
  pruned = await addBackOwned(versions, { merged: before, pruned, apiVersion: last.apiVersion }, managers);
  const prunedFields = toNamedFieldSet(type, pruned);
  const mergedFields = toNamedFieldSet(type, before);
  // Other removed fields were not owned by the manager.
  const gone = difference(mergedFields, prunedFields);
  const unowned = intersection(gone, lastFields);
  const remaining = removeItems(type, before, unowned, versions.keepsEmpty);
  return (await versions.convert(remaining, apiVersion)) ?? remaining;
}

const toNamedFieldSet = (type: ValueType, value: JsonValue): FieldSet =>
  ensureNamedFieldsAreMembers(type, toFieldSet(type, value));

interface Pruning {
  readonly merged: JsonValue;
  readonly pruned: JsonValue;
  readonly apiVersion: string;
}

/** Restores owned fields, version by version, the pruned version first. */
async function addBackOwned(versions: Versions, pruning: Pruning, managers: Managers): Promise<JsonValue> {
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
    const currentFields = toNamedFieldSet(type, current);
    const named = ensureNamedFieldsAreMembers(type, fields);
    const retained = union(currentFields, named);
    const mergedFields = toNamedFieldSet(type, merged);
    const lost = difference(mergedFields, retained);
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

function removeNested(type: ValueType, value: JsonValue, set: FieldSet, keepsEmpty: boolean): JsonValue {
  const remaining = removeItems(type, value, set, keepsEmpty);
  if (remaining !== null || !keepsEmpty) return remaining;
  if (isList(value)) return [];
  return isJsonObject(value) ? {} : null;
}

function removeFromMap(type: MapType | undefined, object: JsonObject, set: FieldSet, keepsEmpty: boolean): JsonValue {
  const remaining = mapFields(Object.keys(object), (name) => {
    const node = set[`f:${name}`];
    if (isMember(node)) return undefined;
    const value = object[name] ?? null;
    return node ? removeNested(type?.field(name) ?? deduced, value, node, keepsEmpty) : value;
  });
  return isEmptyObject(remaining) ? null : remaining;
}

function removeFromList(type: ListType, list: readonly JsonValue[], set: FieldSet, keepsEmpty: boolean): JsonValue {
  const remaining: JsonValue[] = [];
  for (const item of list) {
    const node = set[listItemToPathElement(item, type)] ?? undefined;
    if (!isMember(node)) remaining.push(node ? removeNested(type.element(), item, node, keepsEmpty) : item);
  }
  return remaining.length === 0 ? null : remaining;
}
