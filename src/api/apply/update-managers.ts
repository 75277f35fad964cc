import { compareTexts } from '../../machinery/go/compare-texts.ts';
import { isJsonObject, isList } from '../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { memberItself, setOf, sortedFields, writeAdded } from './added-fields.ts';
import { compare } from './compare.ts';
import { knownSorted, sorted } from './element-order.ts';
import { difference, hasNamelessItems, intersection, isLeaf, leaf, recursiveDifference, union } from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import { identityOf, secondsOf, withFields } from './managed-fields.ts';
import type { Manager, Managers } from './managed-fields.ts';
import { withoutMeta } from './unowned-fields.ts';
import { deduced } from './value-type.ts';
import type { MapType, ValueType } from './value-type.ts';

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

const mostUpdaters = 10;

/**
 * Of more than ten managers by update the oldest are merged, those of one version into one called ancient-changes.
 * Follows apimachinery pkg/util/managedfields/internal/capmanagers.go.
 */
export function capManagers(managers: Managers): Managers {
  const updaters = [...managers].filter(([, { operation }]) => operation === 'Update');
  if (updaters.length <= mostUpdaters) return managers;
  updaters.sort(([a, first], [b, second]) => secondsOf(first) - secondsOf(second) || compareTexts(a, b));
  const capped = new Map(managers);
  const firstOf = new Map<string, string>();
  let count = updaters.length;
  for (const [identity, manager] of updaters) {
    if (count <= mostUpdaters) break;
    const first = firstOf.get(manager.apiVersion);
    if (first === undefined) {
      firstOf.set(manager.apiVersion, identity);
      continue;
    }
    mergeInto(capped, manager, first);
    if (identity !== bucketOf(manager.apiVersion)) capped.delete(identity);
    count -= 1;
  }
  return capped;
}

const ancientChanges = 'ancient-changes';

const bucketOf = (apiVersion: string): string =>
  identityOf({ manager: ancientChanges, operation: 'Update', apiVersion, subresource: '' });

/** Adds a manager's fields to its version's bucket, which begins with the first manager of that version. */
function mergeInto(capped: Map<string, Manager>, { apiVersion, time, fields }: Manager, first: string): void {
  const bucket = bucketOf(apiVersion);
  const older = capped.get(bucket) ?? capped.get(first);
  if (!capped.has(bucket)) capped.delete(first);
  const merged = older ? union(older.fields, fields) : fields;
  capped.set(bucket, {
    manager: ancientChanges,
    operation: 'Update',
    apiVersion,
    subresource: '',
    time, // That of the merged one: it is more recent.
    fields: merged,
  });
}

/** What becomes of an object that nobody owns anything of, as of one that is created. */
interface Creation {
  readonly type: ValueType;
  readonly before: JsonObject;
  readonly after: JsonObject;
  /** What the endpoint resets. */
  readonly reset: FieldSet;
}

/**
 * What whoever writes it owns then: the fields that compare() says have changed, without what the endpoint resets and what
 * nobody owns. The text of the whole set is written in one pass; objects of one template, whose texts are equal, share one
 * set, which is made once. undefined for what is no granular map.
 */
export function createdFields({ type, before, after, reset }: Creation): FieldSet | undefined {
  if (type.is !== 'map' || type.atomic) return undefined;
  const parts: string[] = [];
  writeChanged(type, before, after, parts);
  return parts.length === 0 ? leaf : ownedOf(setOf(parts.join('')), reset);
}

function ownedOf(all: FieldSet, reset: FieldSet): FieldSet {
  const known = owned.get(all);
  if (known?.reset === reset) return known.fields;
  const fields = hasNamelessItems(all) ? unownable : withoutMeta(recursiveDifference(all, reset));
  if (!knownSorted.has(all)) return fields;
  knownSorted.add(fields); // What is left of it has kept its order.
  owned.set(all, { reset, fields });
  return fields;
}

/** Stands for the fields of an object of which nobody can say who owns what: an item of a list has no name. */
const unownable: FieldSet = Object.freeze({ '.': leaf });

/** What is owned of a set that is kept, where the endpoint resets this. */
const owned = new WeakMap<FieldSet, { readonly reset: FieldSet; readonly fields: FieldSet }>();

/** Adds the text of what has changed in a struct that was there; nothing where nothing has. */
function writeChanged(type: MapType, before: JsonObject, after: JsonObject, parts: string[]): void {
  const start = parts.length;
  for (const { name, text, type: of } of sortedFields(type, after)) {
    const old = Object.hasOwn(before, name) ? before[name] : undefined;
    const value = after[name] ?? null;
    if (old === value) continue;
    const at = parts.length;
    parts.push(at === start ? `{${text.slice(1)}` : text);
    if (old === undefined) {
      if (of) writeAdded(of, value, parts);
    } else if (of ? !writeOver(of, old, value, parts) : !hasChanged(type, name, old, value)) parts.length = at;
  }
  if (parts.length > start) parts.push('}');
}

/** Of a field whose text says already that it is a leaf. */
const hasChanged = (type: MapType, name: string, old: JsonValue, value: JsonValue): boolean =>
  compare(type.field(name) ?? deduced, old, value).changed !== undefined;

/** Adds what has changed of a value that was there; false where nothing has. */
function writeOver(type: ValueType, old: JsonValue, value: JsonValue, parts: string[]): boolean {
  const start = parts.length;
  if (type.is === 'map' && isJsonObject(old) && isJsonObject(value)) writeChanged(type, old, value, parts);
  else if (type.is === 'list' && old === null && isList(value) && value.length > 0) writeItems(type, value, parts);
  else {
    const { changed } = compare(type, old, value);
    if (changed) parts.push(JSON.stringify(sorted(changed)));
  }
  return parts.length > start;
}

/** The items of a list that was null: it is no member itself then. */
function writeItems(type: ValueType, value: readonly JsonValue[], parts: string[]): void {
  const start = parts.length;
  writeAdded(type, value, parts);
  if (parts[start] !== memberItself) return;
  parts[start] = '{';
  parts[start + 1] = (parts[start + 1] ?? '').slice(1);
}
