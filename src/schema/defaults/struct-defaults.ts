import { isInTurns, mapInTurns } from '../../apimachinery/in-turns.ts';
import { asObject, isJsonObject } from '../../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';

/** A struct with its defaults filled in: the same object when nothing was missing. */
export type Defaulter = (struct: JsonObject) => JsonObject;

/** What a field becomes: a constant fills it when it is absent or null, a function decides from its value and the struct. */
type FieldRule = JsonValue | FieldFunction;
type FieldFunction = (value: JsonValue | undefined, struct: JsonObject) => JsonValue | undefined;

/** Makes the defaulter of one Go struct from rules by field name. New fields are put in their places when all is done. */
export function structDefaults(rules: Readonly<Record<string, FieldRule>>): Defaulter {
  const entries = Object.entries(rules);
  return (struct) => {
    let changes: Record<string, JsonValue | undefined> | undefined;
    for (const [field, rule] of entries) {
      const value = struct[field];
      const next = typeof rule === 'function' ? rule(value, struct) : (value ?? rule);
      if (next !== value) (changes ??= {})[field] = next;
    }
    return changes === undefined ? struct : { ...struct, ...changes };
  };
}

/** One defaulter after another. */
export const both =
  (first: Defaulter, second: Defaulter): Defaulter =>
  (struct) =>
    second(first(struct));

/** Defaults a struct field that is there; nil stays nil. */
export const inside =
  (defaulter: Defaulter): FieldFunction =>
  (value) =>
    isJsonObject(value) ? defaulter(value) : value;

/** Defaults a struct field, made when it is nil. */
export const always =
  (defaulter: Defaulter): FieldFunction =>
  (value) =>
    defaulter(asObject(value));

/** Defaults every item of a list. */
export const each =
  (defaulter: Defaulter): FieldFunction =>
  (value) => {
    if (!Array.isArray(value)) return value;
    const items: readonly JsonValue[] = value;
    return isInTurns(items.length) ? ofMany(items, defaulter) : ofFew(items, defaulter);
  };

/** The list itself when nothing was missing, as mostly. */
function ofFew(items: readonly JsonValue[], defaulter: Defaulter): readonly JsonValue[] {
  let copy: JsonValue[] | undefined;
  for (let at = 0; at < items.length; at += 1) {
    const item = items[at];
    const filled = isJsonObject(item) ? defaulter(item) : item;
    if (filled !== undefined && filled !== item) (copy ??= [...items])[at] = filled;
  }
  return copy ?? items;
}

function ofMany(items: readonly JsonValue[], defaulter: Defaulter): readonly JsonValue[] {
  const next = mapInTurns(items, (item) => (isJsonObject(item) ? defaulter(item) : item));
  return next.some((item, index) => item !== items[index]) ? next : items;
}

/** Fills a field whose zero value means unset and yet is printed: `''`, `0`, or an empty list. */
export const unlessZero =
  (fallback: JsonValue): FieldFunction =>
  (value) =>
    value === undefined || value === null || value === '' || value === 0 || (Array.isArray(value) && value.length === 0)
      ? fallback
      : value;
