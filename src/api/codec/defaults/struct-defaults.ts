import { asObject, isJsonObject, mapChanged, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { mapFields } from '../../../machinery/meta/object.ts';
import { parseQuantity, quantityText, roundUpQuantity } from '../../../machinery/meta/quantity.ts';
import type { ResourceRequirements } from '../../types/generated/core-v1.ts';

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

export const chainDefaults =
  <T extends JsonObject>(first: Defaulter<T>, second: Defaulter<T>): Defaulter<T> =>
  (struct) =>
    second(first(struct));

/** nil stays nil. */
export function ifPresent<T extends JsonObject>(
  defaulter: Defaulter<T>,
): <V extends T | null | undefined>(value: V) => V | T;
export function ifPresent(defaulter: Defaulter<JsonObject>): AnyFunction {
  return (value) => (isJsonObject(value) ? defaulter(value) : value);
}

/** nil becomes an empty struct. */
export function always<T extends JsonObject>(defaulter: Defaulter<T>): (value: T | null | undefined) => T;
export function always(defaulter: Defaulter<JsonObject>): AnyFunction {
  return (value) => defaulter(asObject(value));
}

export const defaultEach =
  <T extends JsonObject>(defaulter: Defaulter<T>) =>
  <V extends readonly T[] | null | undefined>(value: V): V | readonly T[] => {
    if (!Array.isArray(value)) return value;
    const items: readonly T[] = value;
    return mapChanged(items, (item) => (isJsonObject(item) ? defaulter(item) : item));
  };

/** For fields whose zero value (`''`, `0`, an empty list) means unset. */
export const unlessZero =
  <T extends JsonValue>(fallback: T) =>
  <V extends JsonValue | undefined>(value: V): V | T =>
    value === undefined || value === null || value === '' || value === 0 || (Array.isArray(value) && value.length === 0)
      ? fallback
      : value;

/**
 * Quantities are rounded up to thousandths. Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_ResourceList.
 */
export type ResourceList = { readonly [name: string]: string };

export const defaultResourceList: Defaulter<ResourceList> = (list) => {
  const names = Object.keys(list);
  if (!names.some((name) => typeof list[name] === 'string' && needsRounding.test(list[name]))) return list;
  return mapFields(names, (name) => roundQuantity(list[name]));
};

const needsRounding = /[nu]$|\.|e-/i;
const milli = -3;

function roundQuantity(quantity: string | undefined): string | undefined {
  const reading = typeof quantity === 'string' ? parseQuantity(quantity) : undefined;
  return reading?.outcome === 'parsed' ? quantityText(roundUpQuantity(reading.quantity, milli)) : quantity;
}

export const resourceRequirements = structDefaults<ResourceRequirements>({
  limits: ifPresent(defaultResourceList),
  requests: ifPresent(defaultResourceList),
});
