import { areMany, namesOf } from './field-names.ts';
import { forEachInTurns, isInTurns, onceInTurns } from './in-turns.ts';
import { isJsonObject } from './json.ts';
import type { JsonObject, JsonValue } from './json.ts';

/** Do both hold the same data? The order of object fields does not matter; a field that is undefined counts as absent. */
export function sameJson(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && sameList(a, b);
  return isJsonObject(a) && isJsonObject(b) && sameObject(a, b);
}

const sameList = (a: readonly JsonValue[], b: readonly JsonValue[]): boolean =>
  a.length === b.length && areAll(a, (item, index) => sameJson(item, b[index]));

function areAll<T>(list: readonly T[], is: (item: T, index: number) => boolean): boolean {
  if (!isInTurns(list.length)) return list.every(is);
  const start = (): { yes: boolean } => ({ yes: true });
  return forEachInTurns(list, start, (state, item, index) => (state.yes = is(item, index))).yes;
}

function sameObject(a: JsonObject, b: JsonObject): boolean {
  const fields = definedFields(a);
  return (
    fields.length === definedFields(b).length &&
    areAll(fields, (key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
  );
}

/** Do both hold the same data, whatever they have in one field? */
export function sameBut(field: string, a: JsonObject, b: JsonObject): boolean {
  const countOf = (object: JsonObject): number => definedFields(object).length - (object[field] === undefined ? 0 : 1);
  return (
    countOf(a) === countOf(b) &&
    areAll(definedFields(a), (key) => key === field || (Object.hasOwn(b, key) && sameJson(a[key], b[key])))
  );
}

/** The names of fields that are there: of a wide object found once, in a turn of its own. */
export function definedFields(object: JsonObject): readonly string[] {
  const names = namesOf(object);
  return areMany(names) ? onceInTurns(() => defined(names, object)) : defined(names, object);
}

function defined(names: readonly string[], object: JsonObject): readonly string[] {
  const fields: string[] = [];
  for (const field of names) if (object[field] !== undefined) fields.push(field);
  return fields;
}
