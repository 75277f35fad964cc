import { inTurns } from '../apimachinery/in-turns.ts';
import { isJsonObject } from '../apimachinery/json.ts';
import type { JsonValue } from '../apimachinery/json.ts';
import type { Pause } from '../apimachinery/pause.ts';
import { difference, intersection, isLeaf, leaf, union } from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import { fieldSetInTurns, withNamedFields } from './field-set-of.ts';
import type { Manager, Managers } from './managed-fields.ts';
import { removeItems } from './remove-items.ts';
import type { ValueType } from './value-type.ts';

/** An object's states in any version of its kind. */
export interface Versions {
  readonly typeIn: (apiVersion: string) => ValueType | undefined;
  /** undefined for a version that does not exist. */
  readonly convert: (value: JsonValue, apiVersion: string) => Promise<JsonValue | undefined>;
  readonly pause: Pause;
}

/**
 * Removes what the manager applied last time and not this time, unless somebody else owns it. `managers` has the new
 * fields of the manager already, `last` its old ones. Follows structured-merge-diff merge/update.go prune.
 */
export async function prune(
  versions: Versions,
  merged: JsonValue,
  { managers, last, apiVersion }: { readonly managers: Managers; readonly last: Manager; readonly apiVersion: string },
): Promise<JsonValue> {
  if (isLeaf(last.fields)) return merged;
  const type = versions.typeIn(last.apiVersion);
  const before = await versions.convert(merged, last.apiVersion);
  if (!type || before === undefined) return merged;
  const { pause } = versions;
  const lastFields = await inTurns(() => withNamedFields(type, last.fields), pause);
  let pruned = await inTurns(() => removeItems(type, before, lastFields), pause);
  await pause();
  pruned = await withOwned(versions, { merged: before, pruned, apiVersion: last.apiVersion }, managers);
  await pause();
  const prunedFields = await allFields(type, pruned, pause);
  const mergedFields = await allFields(type, before, pause);
  // What else went was not the manager's to remove.
  const gone = await inTurns(() => difference(mergedFields, prunedFields), pause);
  const unowned = await inTurns(() => intersection(gone, lastFields), pause);
  const kept = await inTurns(() => removeItems(type, before, unowned), pause);
  return (await versions.convert(kept, apiVersion)) ?? kept;
}

/** With the struct fields on the way. */
async function allFields(type: ValueType, value: JsonValue, pause: Pause): Promise<FieldSet> {
  const fields = await fieldSetInTurns(type, value, pause);
  return inTurns(() => withNamedFields(type, fields), pause);
}

interface Pruning {
  readonly merged: JsonValue;
  readonly pruned: JsonValue;
  /** Of both. */
  readonly apiVersion: string;
}

/** Adds back what managers own, version by version, the pruned version first. */
async function withOwned(versions: Versions, pruning: Pruning, managers: Managers): Promise<JsonValue> {
  const owned = new Map<string, FieldSet>([[pruning.apiVersion, leaf]]);
  const { pause } = versions;
  for (const { apiVersion, fields } of managers.values()) {
    owned.set(apiVersion, await inTurns(() => union(owned.get(apiVersion) ?? leaf, fields), pause));
  }
  let { pruned } = pruning;
  for (const [apiVersion, fields] of owned) {
    const type = versions.typeIn(apiVersion);
    const merged = await versions.convert(pruning.merged, apiVersion);
    const current = await versions.convert(pruned, apiVersion);
    if (!type || merged === undefined || current === undefined) continue;
    const currentFields = await allFields(type, current, pause);
    const named = await inTurns(() => withNamedFields(type, fields), pause);
    const keep = await inTurns(() => union(currentFields, named), pause);
    const mergedFields = await allFields(type, merged, pause);
    const lost = await inTurns(() => difference(mergedFields, keep), pause);
    const added = await inTurns(() => removeItems(type, merged, lost), pause);
    pruned = (await versions.convert(added, pruning.apiVersion)) ?? pruned;
  }
  return isJsonObject(pruned) ? pruned : pruning.pruned;
}
