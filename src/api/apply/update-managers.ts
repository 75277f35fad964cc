import { compareTexts } from '../../machinery/go/strings.ts';
import { isJsonObject, isList, sortedNames, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { formatFieldKey, onlyMember, parseFieldSet, writeAdded, compareFields } from './compare.ts';
import { sortedSets, sortFieldSet } from './path-element.ts';
import {
  difference,
  type FieldSet,
  hasNamelessItems,
  intersection,
  isLeaf,
  leaf,
  recursiveDifference,
  union,
  withoutMeta,
} from './field-set.ts';
import {
  buildManagerIdentifier,
  managerSeconds,
  replaceFields,
  type Manager,
  type Managers,
} from './managed-fields.ts';
import { deduced, type MapType, type ValueType } from './value-type.ts';

export interface Change {
  /** The version of `before` and `after`. */
  readonly apiVersion: string;
  readonly type: ValueType;
  readonly before: KubernetesObject;
  readonly after: KubernetesObject;
  readonly reset: FieldSet;
  /** The type error of either state; only custom kinds are checked. */
  readonly typeError: () => string | undefined;
  /** undefined for an unknown version. */
  readonly inVersion: (apiVersion: string) => Promise<Change | MistypedFields | undefined>;
}

/** An object that does not fit the type of a manager's version. */
export interface MistypedFields {
  readonly mistyped: string;
}

export interface ManagedChange {
  readonly own: ChangedFields;
  readonly others: Managers;
  /** Fields that managers lose, by identity. */
  readonly conflicts: ReadonlyMap<string, FieldSet>;
}

interface ChangedFields {
  readonly changed: FieldSet;
  readonly removed: FieldSet;
}

/**
 * Takes changed and removed fields from every manager, each in its own version; managers without fields disappear.
 * Follows structured-merge-diff merge/update.go update, with force.
 */
export async function applyChange(
  change: Change,
  managers: Managers,
  except = '',
): Promise<ManagedChange | MistypedFields> {
  const own = compareStates(change);
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
      byVersion.set(manager.apiVersion, versioned && compareStates(versioned));
    }
    const result = byVersion.get(manager.apiVersion);
    if (result) keepRemaining(identity, manager, result, { others, conflicts });
  }
  return { own, others, conflicts };
}

interface RemainingManagers {
  readonly others: Map<string, Manager>;
  readonly conflicts: Map<string, FieldSet>;
}

function keepRemaining(
  identity: string,
  manager: Manager,
  { changed, removed }: ChangedFields,
  { others, conflicts }: RemainingManagers,
): void {
  const { lost, left } = subtractChanges(manager.fields, changed, removed);
  if (!isLeaf(lost)) conflicts.set(identity, lost);
  if (left === manager.fields) others.set(identity, manager);
  else if (!isLeaf(left)) others.set(identity, replaceFields(manager, left));
}

/** `left` is the same set if nothing was lost. */
function subtractChanges(fields: FieldSet, changed: FieldSet, removed: FieldSet): { lost: FieldSet; left: FieldSet } {
  const lost = intersection(fields, changed);
  const gone = intersection(fields, removed);
  const left = isLeaf(lost) && isLeaf(gone) ? fields : difference(difference(fields, lost), gone);
  return { lost, left };
}

function compareStates({ type, before, after, reset }: Change): ChangedFields {
  const { changed, removed } = compareFields(type, before, after);
  const withoutReset = (fields = leaf): FieldSet => recursiveDifference(fields, reset);
  return { changed: withoutReset(changed), removed: withoutReset(removed) };
}

export type FieldWriter = Pick<Manager, 'manager' | 'apiVersion' | 'subresource' | 'time'>;

/**
 * The managers after a create, update or patch. Follows apimachinery
 * pkg/util/managedfields/internal/managedfieldsupdater.go Update.
 */
export async function updateManagers(
  change: Change,
  managers: Managers,
  writer: FieldWriter,
): Promise<Managers | MistypedFields> {
  const created = managers.size === 0 ? collectCreatedFields(change) : undefined;
  if (created === isUnownable) return removeUnowned;
  if (created) return isLeaf(created) ? managers : findOnlyManager(createUpdateManager(writer, created));
  const result = await applyChange(change, managers);
  if ('mistyped' in result) return result;
  const { own, others } = result;
  const taken = withoutMeta(own.changed);
  if (isLeaf(taken)) return others;
  if (hasNamelessItems(taken)) return removeUnowned;
  const updater = createUpdateManager(writer, taken);
  const identity = buildManagerIdentifier(updater);
  const fields = union(others.get(identity)?.fields ?? leaf, taken);
  return capManagers(new Map(others).set(identity, { ...updater, fields }));
}

/** Follows structured-merge-diff typed/helpers.go keyedAssociativeListItemToPathElement. */
const removeUnowned: MistypedFields = {
  mistyped: 'associative list with keys has an element that omits all key fields',
};

const createUpdateManager = ({ manager, apiVersion, subresource, time }: FieldWriter, fields: FieldSet): Manager => ({
  manager: manager || 'unknown',
  operation: 'Update',
  apiVersion,
  subresource,
  time,
  fields,
});

const findOnlyManager = (updater: Manager): Managers => new Map([[buildManagerIdentifier(updater), updater]]);

const maxUpdaters = 10;

/**
 * Merges the oldest update managers of a version into ancient-changes when there are more than ten. Follows
 * apimachinery pkg/util/managedfields/internal/capmanagers.go.
 */
export function capManagers(managers: Managers): Managers {
  const updaters = [...managers].filter(([, { operation }]) => operation === 'Update');
  if (updaters.length <= maxUpdaters) return managers;
  updaters.sort(([a, first], [b, second]) => managerSeconds(first) - managerSeconds(second) || compareTexts(a, b));
  const capped = new Map(managers);
  const firstOf = new Map<string, string>();
  let count = updaters.length;
  for (const [identity, manager] of updaters) {
    if (count <= maxUpdaters) break;
    const first = firstOf.get(manager.apiVersion);
    if (first === undefined) {
      firstOf.set(manager.apiVersion, identity);
      continue;
    }
    mergeIntoBucket(capped, manager, first);
    if (identity !== bucketIdentifier(manager.apiVersion)) capped.delete(identity);
    count -= 1;
  }
  return capped;
}

const ancientManager = 'ancient-changes';

const bucketIdentifier = (apiVersion: string): string =>
  buildManagerIdentifier({ manager: ancientManager, operation: 'Update', apiVersion, subresource: '' });

/** The bucket starts as the first manager of its version. */
function mergeIntoBucket(capped: Map<string, Manager>, { apiVersion, time, fields }: Manager, first: string): void {
  const bucket = bucketIdentifier(apiVersion);
  const older = capped.get(bucket) ?? capped.get(first);
  if (!capped.has(bucket)) capped.delete(first);
  const merged = older ? union(older.fields, fields) : fields;
  capped.set(bucket, {
    manager: ancientManager,
    operation: 'Update',
    apiVersion,
    subresource: '',
    time, // That of the merged one: it is more recent.
    fields: merged,
  });
}

interface Creation {
  readonly type: ValueType;
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly reset: FieldSet;
}

/**
 * The fields owned by the creator: what compare() reports as changed, minus reset and unowned fields, written as text
 * in one pass. undefined unless the type is a granular map.
 */
export function collectCreatedFields({ type, before, after, reset }: Creation): FieldSet | undefined {
  if (type.is !== 'map' || type.atomic) return undefined;
  const parts: string[] = [];
  writeChanged(type, before, after, parts);
  return parts.length === 0 ? leaf : selectOwned(parseFieldSet(parts.join('')), reset);
}

function selectOwned(all: FieldSet, reset: FieldSet): FieldSet {
  const known = ownedByAll.get(all);
  if (known?.reset === reset) return known.fields;
  const fields = hasNamelessItems(all) ? isUnownable : withoutMeta(recursiveDifference(all, reset));
  if (!sortedSets.has(all)) return fields;
  sortedSets.add(fields); // What is left of it has kept its order.
  ownedByAll.set(all, { reset, fields });
  return fields;
}

/** Marks an object with list items that lack their merge keys. */
const isUnownable: FieldSet = Object.freeze({ '.': leaf });

/** Objects of one template share their field set: a stored Pod takes a quarter more memory without. */
const ownedByAll = new WeakMap<FieldSet, { readonly reset: FieldSet; readonly fields: FieldSet }>();

function writeChanged(type: MapType, before: JsonObject, after: JsonObject, parts: string[]): void {
  const start = parts.length;
  for (const name of sortedNames(after)) {
    const old = Object.hasOwn(before, name) ? before[name] : undefined;
    const value = after[name];
    if (value === undefined || old === value) continue;
    const at = parts.length;
    const of = type.field(name) ?? deduced;
    parts.push(at === start ? `{${formatFieldKey(name).slice(1)}` : formatFieldKey(name));
    if (old === undefined) writeAdded(of, value, parts);
    else if (!overwriteFields(of, old, value, parts)) parts.length = at;
  }
  if (parts.length > start) parts.push('}');
}

function overwriteFields(type: ValueType, old: JsonValue, value: JsonValue, parts: string[]): boolean {
  const start = parts.length;
  const isGranular = type.is === 'map' && !type.atomic;
  if (isGranular && isJsonObject(old) && isJsonObject(value)) writeChanged(type, old, value, parts);
  else if (type.is === 'list' && old === null && isList(value) && value.length > 0) writeItems(type, value, parts);
  else {
    const { changed } = compareFields(type, old, value);
    if (changed) parts.push(JSON.stringify(sortFieldSet(changed)));
  }
  return parts.length > start;
}

/** A list that was null is no member itself. */
function writeItems(type: ValueType, value: readonly JsonValue[], parts: string[]): void {
  const start = parts.length;
  writeAdded(type, value, parts);
  if (parts[start] !== onlyMember) return;
  parts[start] = '{';
  parts[start + 1] = (parts[start + 1] ?? '').slice(1);
}
