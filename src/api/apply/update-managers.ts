import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { compare } from './compare.ts';
import { createdFields, unownable } from './created-fields.ts';
import { difference, hasNamelessItems, intersection, isLeaf, leaf, recursiveDifference, union } from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import { capManagers } from './cap-managers.ts';
import { identityOf, withFields } from './managed-fields.ts';
import type { Manager, Managers } from './managed-fields.ts';
import { withoutMeta } from './unowned-fields.ts';
import type { ValueType } from './value-type.ts';

/** Two states of one object, and what its managers may ask about them. */
export interface Change {
  /** Managers of this version see the objects as they are. */
  readonly apiVersion: string;
  readonly type: ValueType;
  readonly before: KubernetesObject;
  readonly after: KubernetesObject;
  /** What the endpoint resets counts as unchanged. */
  readonly reset: FieldSet;
  /** Why one of the two is not of its type: custom kinds are not read by one. */
  readonly misfit: () => string | undefined;
  /** The same change in another version; undefined when there is no such version. */
  readonly inVersion: (apiVersion: string) => Promise<Change | Mistyped | undefined>;
}

/** An object that does not fit the type of a version in which a manager would see it. */
export interface Mistyped {
  readonly mistyped: string;
}

/** What all managers see of a change, each in its own version. */
export interface SeenChange {
  readonly own: ChangedFields;
  readonly others: Managers;
  /** The fields managers lose to the change, by identity. */
  readonly conflicts: ReadonlyMap<string, FieldSet>;
}

interface ChangedFields {
  readonly changed: FieldSet;
  readonly removed: FieldSet;
}

/**
 * Takes from every manager what a change has modified, added or removed; managers left with nothing are gone.
 * Follows structured-merge-diff merge/update.go update, with force.
 */
export async function seeChange(change: Change, managers: Managers, except = ''): Promise<SeenChange | Mistyped> {
  const own = changedFields(change);
  const byVersion = new Map<string, ChangedFields | undefined>([[change.apiVersion, own]]);
  const others = new Map<string, Manager>();
  const conflicts = new Map<string, FieldSet>();
  for (const [identity, manager] of managers) {
    if (identity === except) {
      others.set(identity, manager);
      continue;
    }
    if (!byVersion.has(manager.apiVersion)) {
      const versioned = await change.inVersion(manager.apiVersion);
      if (versioned && 'mistyped' in versioned) return versioned;
      byVersion.set(manager.apiVersion, versioned && changedFields(versioned));
    }
    const seen = byVersion.get(manager.apiVersion);
    if (seen) keepRest(identity, manager, seen, { others, conflicts });
  }
  return { own, others, conflicts };
}

interface Kept {
  readonly others: Map<string, Manager>;
  readonly conflicts: Map<string, FieldSet>;
}

function keepRest(
  identity: string,
  manager: Manager,
  { changed, removed }: ChangedFields,
  { others, conflicts }: Kept,
): void {
  const { lost, left } = restOf(manager.fields, changed, removed);
  if (!isLeaf(lost)) conflicts.set(identity, lost);
  if (left === manager.fields) others.set(identity, manager);
  else if (!isLeaf(left)) others.set(identity, withFields(manager, left));
}

/** What of these fields is taken over, and what is left when that is gone and what was removed: the same set if neither is any. */
function restOf(fields: FieldSet, changed: FieldSet, removed: FieldSet): { lost: FieldSet; left: FieldSet } {
  const lost = intersection(fields, changed);
  const gone = intersection(fields, removed);
  const left = isLeaf(lost) && isLeaf(gone) ? fields : difference(difference(fields, lost), gone);
  return { lost, left };
}

function changedFields({ type, before, after, reset }: Change): ChangedFields {
  const { changed, removed } = compare(type, before, after);
  const withoutReset = (fields = leaf): FieldSet => recursiveDifference(fields, reset);
  return { changed: withoutReset(changed), removed: withoutReset(removed) };
}

/** Who writes, in what version, through which endpoint, and when. */
export interface Writer {
  readonly manager: string;
  readonly apiVersion: string;
  readonly subresource: string;
  /** RFC 3339. */
  readonly time: string;
}

/**
 * The managers after a create, update or patch: whoever wrote owns what the write has changed, and what it owned.
 * Follows apimachinery pkg/util/managedfields/internal/managedfieldsupdater.go Update.
 */
export async function updateManagers(change: Change, managers: Managers, writer: Writer): Promise<Managers | Mistyped> {
  const created = managers.size === 0 ? createdFields(change) : undefined;
  if (created === unownable) return unowned;
  if (created) return isLeaf(created) ? managers : onlyManager(managerOf(writer, created));
  const seen = await seeChange(change, managers);
  if ('mistyped' in seen) return seen;
  const { own, others } = seen;
  const taken = withoutMeta(own.changed);
  if (isLeaf(taken)) return others;
  if (hasNamelessItems(taken)) return unowned;
  const mine = managerOf(writer, taken);
  const identity = identityOf(mine);
  const fields = union(others.get(identity)?.fields ?? leaf, taken);
  return capManagers(new Map(others).set(identity, { ...mine, fields }));
}

/** No item of a list is told from others. Follows structured-merge-diff typed/helpers.go keyedAssociativeListItemToPathElement. */
const unowned: Mistyped = { mistyped: 'associative list with keys has an element that omits all key fields' };

const managerOf = ({ manager, apiVersion, subresource, time }: Writer, fields: FieldSet): Manager => ({
  manager: manager || 'unknown',
  operation: 'Update',
  apiVersion,
  subresource,
  time,
  fields,
});

const onlyManager = (mine: Manager): Managers => new Map([[identityOf(mine), mine]]);
