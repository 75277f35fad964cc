import { isJsonObject, isList, type JsonObject, type JsonValue, isEmptyObject } from '../../machinery/json/json.ts';
import { sameJson } from '../../machinery/json/json-equal.ts';
import { leaf, fieldSetNode, type FieldSet, type FieldSetDraft } from './field-set.ts';
import { itemsByName } from './field-set-of.ts';
import { addedFields } from './added-fields.ts';
import { deduced, deducedMap, type ListType, type MapType, type ValueType } from './value-type.ts';

export interface FieldSetComparison {
  readonly changed: FieldSet | undefined;
  readonly removed: FieldSet | undefined;
}

/**
 * undefined is an absent value. A new map or list is a member itself; one that was there and is empty on both sides is
 * a leaf. Follows structured-merge-diff typed/compare.go.
 */
export function compareFields(
  type: ValueType,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): FieldSetComparison {
  if (before === after) return same;
  if (before === undefined && after !== undefined) return { changed: addedFields(type, after), removed: undefined };
  if (type.is === 'list') return compareAsList(type, before, after);
  if (type.is === 'map') return compareAsMap(type, before, after);
  if (type.is === 'scalar') return compareLeaves(before, after);
  return compareDeduced(before, after);
}

const same: FieldSetComparison = { changed: undefined, removed: undefined };
const leafChanged: FieldSetComparison = { changed: leaf, removed: undefined };
const leafRemoved: FieldSetComparison = { changed: undefined, removed: leaf };

function compareLeaves(before: JsonValue | undefined, after: JsonValue | undefined): FieldSetComparison {
  if (after === undefined) return before === undefined ? same : leafRemoved;
  return before !== undefined && sameJson(before, after) ? same : leafChanged;
}

/** A map replaced by another type is modified and loses its fields; the reverse gains them. null counts as either. */
function compareDeduced(before: JsonValue | undefined, after: JsonValue | undefined): FieldSetComparison {
  const [left, right] = [isJsonObject(before), isJsonObject(after)];
  if ((left && (right || isNothing(after))) || (right && before === null)) {
    return compareAsMap(deducedMap, before, after);
  }
  if (left) return { changed: leaf, removed: compareAsMap(deducedMap, before, null).removed };
  return isJsonObject(after)
    ? { changed: addedFields(deducedMap, after), removed: undefined }
    : compareLeaves(before, after);
}

const isNothing = (value: JsonValue | undefined): boolean => value === undefined || value === null;

function compareAsMap(type: MapType, before: JsonValue | undefined, after: JsonValue | undefined): FieldSetComparison {
  const left = isJsonObject(before) ? before : undefined;
  const right = isJsonObject(after) ? after : undefined;
  if (type.atomic || (isEmptyObject(left) && isEmptyObject(right))) return compareLeaves(before, after);
  const changed: FieldSetDraft = {};
  const removed: FieldSetDraft = {};
  for (const name in right) {
    const [value, old] = [right[name], memberOf(left, name)];
    if (value !== old) collect(`f:${name}`, compareFields(type.field(name) ?? deduced, old, value), changed, removed);
  }
  for (const name in left) {
    if (memberOf(right, name) !== undefined) continue;
    collect(`f:${name}`, compareFields(type.field(name) ?? deduced, left[name], undefined), changed, removed);
  }
  return { changed: fieldSetNode(before === undefined, changed), removed: fieldSetNode(after === undefined, removed) };
}

const memberOf = (object: JsonObject | undefined, name: string): JsonValue | undefined =>
  object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;

function collect(
  element: string,
  comparison: FieldSetComparison,
  changed: FieldSetDraft,
  removed: FieldSetDraft,
): void {
  if (comparison.changed) setElement(changed, element, comparison.changed);
  if (comparison.removed) setElement(removed, element, comparison.removed);
}

function setElement(draft: FieldSetDraft, element: string, node: FieldSet): void {
  draft[element] = node; // Safe for any name: elements have a prefix.
}

function compareAsList(
  type: ListType,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): FieldSetComparison {
  const left = isList(before) ? before : noItems;
  const right = isList(after) ? after : noItems;
  if (type.relation === 'atomic' || (left.length === 0 && right.length === 0)) return compareLeaves(before, after);
  const changed: FieldSetDraft = {};
  const removed: FieldSetDraft = {};
  const [old, current] = [itemsByName(left, type), itemsByName(right, type)];
  for (const [name, items] of current) {
    collect(name, compareItems(type, old.get(name) ?? noItems, items), changed, removed);
  }
  for (const [name, items] of old) {
    if (!current.has(name)) collect(name, compareItems(type, items, noItems), changed, removed);
  }
  return { changed: fieldSetNode(before === undefined, changed), removed: fieldSetNode(after === undefined, removed) };
}

/** Elements with the same name count as one leaf; when one of them remains, its fields are new. */
export function compareItems(
  type: ListType,
  before: readonly JsonValue[],
  after: readonly JsonValue[],
): FieldSetComparison {
  const [old, current] = [before[0], after[0]];
  if (before.length > 1 && after.length > 1) return compareLeaves(before, after);
  if (before.length > 1) {
    return { changed: current === undefined ? undefined : addedFields(type.element(), current), removed: leaf };
  }
  if (after.length > 1) {
    const gone = old === undefined ? same : compareFields(type.element(), old, undefined);
    return { changed: leaf, removed: gone.removed };
  }
  return compareFields(type.element(), old, current);
}

const noItems: readonly JsonValue[] = [];
