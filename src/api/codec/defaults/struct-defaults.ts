import { asObject, isJsonObject, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';

/** Returns the same object when nothing was missing. */
export type Defaulter<T extends JsonObject> = (struct: T) => T;

/** A constant fills an absent or null field; a function computes it from its value and the struct. */
export type FieldRules<T> = {
  readonly [K in keyof T]?: NonNullable<T[K]> | ((value: T[K] | undefined, struct: T) => T[K] | undefined);
};

type AnyRule = JsonValue | AnyFunction;
type AnyFunction = (value: JsonValue | undefined, struct: JsonObject) => JsonValue | undefined;

export function structDefaults<T extends JsonObject = never>(rules: NoInfer<FieldRules<T>>): Defaulter<T>;
export function structDefaults(rules: Readonly<Record<string, AnyRule>>): Defaulter<JsonObject> {
  const entries = Object.entries(rules).map(([field, rule]) => ({ field, rule }));
  return (struct) => {
    let changes: Record<string, JsonValue | undefined> | undefined;
    for (const { field, rule } of entries) {
      const value = struct[field];
      const next = typeof rule === 'function' ? rule(value, struct) : (value ?? rule);
      if (next !== value) (changes ??= {})[field] = next;
    }
    return changes === undefined ? struct : { ...struct, ...changes };
  };
}

export const both =
  <T extends JsonObject>(first: Defaulter<T>, second: Defaulter<T>): Defaulter<T> =>
  (struct) =>
    second(first(struct));

/** nil stays nil. */
export function inside<T extends JsonObject>(
  defaulter: Defaulter<T>,
): <V extends T | null | undefined>(value: V) => V | T;
export function inside(defaulter: Defaulter<JsonObject>): AnyFunction {
  return (value) => (isJsonObject(value) ? defaulter(value) : value);
}

/** nil becomes an empty struct. */
export function always<T extends JsonObject>(defaulter: Defaulter<T>): (value: T | null | undefined) => T;
export function always(defaulter: Defaulter<JsonObject>): AnyFunction {
  return (value) => defaulter(asObject(value));
}

export const each =
  <T extends JsonObject>(defaulter: Defaulter<T>) =>
  <V extends readonly T[] | null | undefined>(value: V): V | readonly T[] => {
    if (!Array.isArray(value)) return value;
    const items: readonly T[] = value;
    return eachFilled(items, defaulter);
  };

/** Returns the list itself when nothing was missing. */
function eachFilled<T extends JsonObject>(items: readonly T[], defaulter: Defaulter<T>): readonly T[] {
  let copy: T[] | undefined;
  for (let at = 0; at < items.length; at += 1) {
    const item = items[at];
    const filled = isJsonObject(item) ? defaulter(item) : item;
    if (filled !== undefined && filled !== item) (copy ??= [...items])[at] = filled;
  }
  return copy ?? items;
}

/** For fields whose zero value (`''`, `0`, an empty list) means unset. */
export const unlessZero =
  <T extends JsonValue>(fallback: T) =>
  <V extends JsonValue | undefined>(value: V): V | T =>
    value === undefined || value === null || value === '' || value === 0 || (Array.isArray(value) && value.length === 0)
      ? fallback
      : value;
