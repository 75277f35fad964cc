import { hasManyNames, keepNames, namesOf } from '../apimachinery/field-names.ts';
import { forEachInTurns } from '../apimachinery/in-turns.ts';
import { isJsonObject, isList } from '../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../apimachinery/json.ts';
import { inSteps } from '../apimachinery/pause.ts';
import type { Pause, Steps } from '../apimachinery/pause.ts';
import { longSorted, sorted, sortElementsInSteps } from './element-order.ts';
import { isLarge } from '../apimachinery/is-large.ts';
import { itemsByName, itemsByNameInSteps } from './list-items.ts';
import { leaf, nodeOf } from './field-set.ts';
import type { FieldSet, FieldSetDraft } from './field-set.ts';
import { deduced } from './value-type.ts';
import type { ListType, MapType, ValueType } from './value-type.ts';

/**
 * The fields of a value: leaves, elements of lists, keys of maps, and whatever is empty.
 * Follows structured-merge-diff typed/tofieldset.go.
 */
export const fieldSetOf = (type: ValueType, value: JsonValue): FieldSet => below(type, value) ?? leaf;

/** The same, others being let in where a value is large. */
export const fieldSetInTurns = (type: ValueType, value: JsonValue, pause: Pause): Promise<FieldSet> =>
  inSteps(fieldSetInSteps(type, value), pause);

function* fieldSetInSteps(type: ValueType, value: JsonValue): Steps<FieldSet> {
  return (yield* belowInSteps(type, value, false)) ?? leaf;
}

/** What is below the value's own path; `leaf` when the path itself is the member, undefined when nothing is. */
function below(type: ValueType, value: JsonValue): FieldSet | undefined {
  if (type.is === 'list') return type.relation === 'atomic' ? leaf : belowList(type, isList(value) ? value : []);
  if (type.is === 'map') return type.atomic ? leaf : belowMap(type, isJsonObject(value) ? value : {});
  return type.is === 'deduced' && isJsonObject(value) ? belowMap(undefined, value) : leaf;
}

/** `type` is undefined for a map nobody knows the type of. */
function belowMap(type: MapType | undefined, object: JsonObject): FieldSet | undefined {
  const fields: FieldSetDraft = {};
  for (const name in object) {
    const value = object[name] ?? null;
    const inner = below(type?.field(name) ?? deduced, value);
    const node = nodeOf(isOwnMember(type, name, value) || inner === leaf, inner);
    if (node) fields[`f:${name}`] = node;
  }
  return Object.keys(fields).length === 0 ? undefined : fields;
}

/** A field of a struct is no member when there are others below it. */
const isOwnMember = (type: MapType | undefined, name: string, value: JsonValue): boolean =>
  type?.declares(name) !== true || isNothing(value);

const isNothing = (value: JsonValue): boolean => value === null || (isJsonObject(value) && namesOf(value).length === 0);

function belowList(type: ListType, list: readonly JsonValue[]): FieldSet | undefined {
  const elements: FieldSetDraft = {};
  for (const [name, items] of itemsByName(list, type)) {
    const [only] = items;
    const inner = items.length > 1 || only === undefined ? leaf : below(type.element(), only);
    elements[name] = nodeOf(true, inner) ?? leaf;
  }
  return list.length === 0 ? undefined : elements;
}

/** What below() says of a value that may be large, as a member or not: to make it one later would be to copy it. */
function* belowInSteps(type: ValueType, value: JsonValue, isMember: boolean): Steps<FieldSet | undefined> {
  if (!isLarge(value)) return below(type, value);
  if (type.is === 'list' && type.relation !== 'atomic')
    return yield* belowListInSteps(type, isList(value) ? value : [], isMember);
  if (type.is === 'map' && !type.atomic)
    return yield* belowMapInSteps(type, isJsonObject(value) ? value : {}, isMember);
  return type.is === 'deduced' && isJsonObject(value) ? yield* belowMapInSteps(undefined, value, isMember) : leaf;
}

const begun = (isMember: boolean): FieldSetDraft => (isMember ? { '.': leaf } : {});

/** So many fields or items are one step. */
const piece = 500;

function* belowMapInSteps(
  type: MapType | undefined,
  object: JsonObject,
  isMember: boolean,
): Steps<FieldSet | undefined> {
  const fields = begun(isMember);
  const elements: string[] = [];
  const names = namesOf(object);
  for (const [at, name] of names.entries()) {
    const value = object[name] ?? null;
    const isOwn = isOwnMember(type, name, value);
    const inner = yield* belowInSteps(type?.field(name) ?? deduced, value, isOwn);
    const node = nodeOf(isOwn || inner === leaf, inner);
    if (node) {
      fields[`f:${name}`] = node;
      elements.push(`f:${name}`);
    }
    if (at % piece === 0) yield;
  }
  if (elements.length === 0) return undefined;
  keepNames(fields, isMember ? ['.', ...elements] : elements);
  return fields;
}

function* belowListInSteps(type: ListType, list: readonly JsonValue[], isMember: boolean): Steps<FieldSet | undefined> {
  const elements = begun(isMember);
  let isSorted = true;
  const byName = yield* itemsByNameInSteps(list, type);
  for (const [at, name] of (yield* sortElementsInSteps([...byName.keys()])).entries()) {
    const items = byName.get(name) ?? [];
    const [only] = items;
    const inner = items.length > 1 || only === undefined ? leaf : yield* belowInSteps(type.element(), only, true);
    const node = nodeOf(true, inner) ?? leaf;
    elements[name] = isLarge(only) ? node : sorted(node);
    isSorted &&= !isLarge(only);
    if (at % piece === 0) yield;
  }
  if (isSorted) longSorted.add(elements);
  return list.length === 0 ? undefined : elements;
}

/** The set with the struct fields on its paths as members, so that what is below can go with them. */
export const withNamedFields = (type: ValueType, set: FieldSet): FieldSet => withFields(type, set, false);

/** The same as a member or not: to make it one later would be to copy it. */
function withFields(type: ValueType, set: FieldSet, isMember: boolean): FieldSet {
  const elements = namesOf(set);
  if (elements.length === 0) return set; // It is a leaf.
  const named = forEachInTurns(
    elements,
    () => begun(isMember),
    (all, element) => {
      const node = set[element] ?? leaf;
      all[element] =
        element === '.' ? node : withFields(elementType(type, element), node, isStructField(type, element));
    },
  );
  if (hasManyNames(set) && !hasManyNames(named)) {
    keepNames(named, isMember ? ['.', ...elements.filter((element) => element !== '.')] : elements);
  }
  return named;
}

const isStructField = (type: ValueType, element: string): boolean =>
  element.startsWith('f:') && type.is === 'map' && type.declares(element.slice(2));

/** The type of what a path element leads to. */
export function elementType(type: ValueType, element: string): ValueType {
  if (type.is === 'map' && element.startsWith('f:')) return type.field(element.slice(2)) ?? deduced;
  return type.is === 'list' ? type.element() : deduced;
}
