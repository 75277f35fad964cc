import { namesOf, keepNames } from '../apimachinery/field-names.ts';
import { asList, asObject, isJsonObject, isList } from '../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../apimachinery/json.ts';
import type { Steps } from '../apimachinery/pause.ts';
import { addedFields } from './added-fields.ts';
import { compare, compareItems } from './compare.ts';
import type { Comparison } from './compare.ts';
import { longSorted, sortElementsInSteps } from './element-order.ts';
import { leaf, nodeOf } from './field-set.ts';
import type { FieldSet, FieldSetDraft } from './field-set.ts';
import { isLarge } from '../apimachinery/is-large.ts';
import { itemsByNameInSteps } from './list-items.ts';
import { deduced, deducedMap } from './value-type.ts';
import type { ListType, MapType, ValueType } from './value-type.ts';

/** What compare() says, in steps where a value is so large that others should be let in; nothing else is slower for it. */
export function* compareInSteps(
  type: ValueType,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): Steps<Comparison> {
  if (before === after || (!isLarge(before) && !isLarge(after))) return compare(type, before, after);
  if (before === undefined && after !== undefined)
    return { changed: yield* addedInSteps(type, after), removed: undefined };
  const map = mapOf(type);
  const areObjects = isJsonObject(before) && isJsonObject(after);
  if (map && (type.is === 'map' || areObjects)) return yield* maps(map, before, after);
  return isGranular(type) ? yield* lists(type, before, after) : compare(type, before, after);
}

const mapOf = (type: ValueType): MapType | undefined => {
  if (type.is === 'deduced') return deducedMap;
  return type.is === 'map' && !type.atomic ? type : undefined;
};

const isGranular = (type: ValueType): type is ListType => type.is === 'list' && type.relation !== 'atomic';

/** So many fields or items are one step. */
const piece = 500;

/** The fields that stand under one path, while they are collected. */
interface Collected {
  readonly changed: FieldSetDraft;
  readonly removed: FieldSetDraft;
  /** Their elements, for whoever goes through them. */
  readonly names: { readonly changed: string[]; readonly removed: string[] };
}

const nothing = (): Collected => ({ changed: {}, removed: {}, names: { changed: [], removed: [] } });

function* maps(type: MapType, before: JsonValue | undefined, after: JsonValue | undefined): Steps<Comparison> {
  const [old, current] = [asObject(before), asObject(after)];
  // All of what is gone is removed, and the whole with it: to add that later would be to copy it.
  const isGone = after === undefined && namesOf(old).length > 0;
  const all = nothing();
  if (isGone) addRemoved(all, '.', leaf);
  for (const [at, name] of namesOf(current).entries()) {
    collect(all, `f:${name}`, yield* compareInSteps(type.field(name) ?? deduced, own(old, name), current[name]));
    if (at % piece === 0) yield;
  }
  for (const [at, name] of namesOf(old).entries()) {
    if (!Object.hasOwn(current, name))
      collect(all, `f:${name}`, yield* compareInSteps(type.field(name) ?? deduced, old[name], undefined));
    if (at % piece === 0) yield;
  }
  return collected(all, before, after);
}

const own = (object: JsonObject, name: string): JsonValue | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

// Safe for any name: elements have a prefix.
function collect(all: Collected, element: string, comparison: Comparison): void {
  if (comparison.changed) {
    all.changed[element] = comparison.changed;
    all.names.changed.push(element);
  }
  if (comparison.removed) addRemoved(all, element, comparison.removed);
}

function addRemoved({ removed, names }: Collected, element: string, node: FieldSet): void {
  removed[element] = node;
  names.removed.push(element);
}

function collected(
  { changed, removed, names }: Collected,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): Comparison {
  keepNames(changed, names.changed);
  keepNames(removed, names.removed);
  return { changed: nodeOf(before === undefined, changed), removed: nodeOf(after === undefined, removed) };
}

function* lists(type: ListType, before: JsonValue | undefined, after: JsonValue | undefined): Steps<Comparison> {
  const all = nothing();
  const old = yield* itemsByNameInSteps(asList(before), type);
  const current = yield* itemsByNameInSteps(asList(after), type);
  let at = 0;
  for (const [name, items] of current) {
    collect(all, name, yield* itemsOf(type, old.get(name) ?? [], items));
    if ((at += 1) % piece === 0) yield;
  }
  for (const [name, items] of old) {
    if (!current.has(name)) collect(all, name, yield* itemsOf(type, items, []));
    if ((at += 1) % piece === 0) yield;
  }
  return collected(all, before, after);
}

function* itemsOf(type: ListType, before: readonly JsonValue[], after: readonly JsonValue[]): Steps<Comparison> {
  if (before.length > 1 || after.length > 1) return compareItems(type, before, after);
  return yield* compareInSteps(type.element(), before[0], after[0]);
}

/** What addedFields() says of a large value. */
function* addedInSteps(type: ValueType, value: JsonValue): Steps<FieldSet> {
  const map = isJsonObject(value) ? mapOf(type) : undefined;
  if (map && isJsonObject(value)) {
    const elements: string[] = [];
    for (const [at, name] of namesOf(value).entries()) {
      if (value[name] !== undefined) elements.push(`f:${name}`);
      if (at % piece === 0) yield;
    }
    return yield* members(elements, (element) => {
      const name = element.slice(2);
      return [map.field(name) ?? deduced, value[name] ?? null];
    });
  }
  if (!isGranular(type) || !isList(value)) return addedFields(type, value);
  const byName = yield* itemsByNameInSteps(value, type);
  const of = type.element();
  return yield* members([...byName.keys()], (name) => {
    const [only, another] = byName.get(name) ?? [];
    return [of, another === undefined ? (only ?? null) : null];
  });
}

type Member = readonly [type: ValueType, value: JsonValue];

/** Path element by path element in order, as managedFields shows them. */
function* members(elements: readonly string[], memberOf: (element: string) => Member): Steps<FieldSet> {
  if (elements.length === 0) return leaf;
  const names = yield* sortElementsInSteps(elements);
  const set: FieldSetDraft = { '.': leaf };
  for (const [at, name] of names.entries()) {
    const [type, value] = memberOf(name);
    set[name] = isLarge(value) ? yield* addedInSteps(type, value) : addedFields(type, value);
    if (at % piece === 0) yield;
  }
  longSorted.add(set);
  keepNames(set, ['.', ...names]);
  return set;
}
