import { isJsonObject, isList } from '../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';
import { memberItself, setOf, sortedFields, writeAdded } from './added-fields.ts';
import { compare } from './compare.ts';
import { knownSorted, sorted } from './element-order.ts';
import { hasNamelessItems, leaf, recursiveDifference } from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import { withoutMeta } from './unowned-fields.ts';
import { deduced } from './value-type.ts';
import type { MapType, ValueType } from './value-type.ts';

/** What becomes of an object that nobody owns anything of, as of one that is created. */
export interface Creation {
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
export const unownable: FieldSet = Object.freeze({ '.': leaf });

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
