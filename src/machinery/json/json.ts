/** The entries of `map`, and those of `fallback` that `map` lacks. */
export function withDefaultEntries<T extends JsonObject>(map: T, fallback: T): T;
export function withDefaultEntries(map: JsonObject, fallback: JsonObject): JsonObject {
  if (Object.keys(fallback).every((name) => Object.hasOwn(map, name))) return map;
  if (!hasEntries(map)) return fallback;
  return { ...fallback, ...map };
}

/** Whether it is a map with entries; the length of a nil map is 0 in Go. */
export const hasEntries = <T extends JsonValue>(map: T | undefined): map is Extract<T, JsonObject> =>
  isJsonObject(map) && !isEmptyObject(map);

export function isEmptyObject(object: JsonObject | undefined): boolean {
  for (const _name in object) return false;
  return true;
}

/** Adds all items. As arguments of one call to push, many would overflow the stack. */
export function append<T>(list: T[], more: Iterable<T>): void {
  for (const one of more) list.push(one);
}

/**
 * A value in an API object. Integers beyond 2^53 are bigint. Fields keep the order in which Go prints them.
 * Values are shared freely between requests, traces and the store: code never changes one in place.
 */
export type JsonValue = null | boolean | number | bigint | string | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [field: string]: JsonValue | undefined;
}

/**
 * A value as it was read from a text, before its type was known. A number whose text is not what JavaScript would
 * print for it (`1.0`, `1e3`, `-0`, `9007199254740993`) stays a JsonNumber, so that decoding can refuse or keep it.
 */
export type JsonDocument =
  | null
  | boolean
  | number
  | bigint
  | string
  | JsonNumber
  | readonly JsonDocument[]
  | DocumentObject;

export type DocumentObject = { readonly [field: string]: JsonDocument | undefined };

/** Shared: creating an exception takes longer than writing a number. */
const needsWriter = new TypeError('a JsonNumber needs writeJson');

export class JsonNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  /** JSON.stringify would print the wrapper; json-writer.ts prints the number. */
  toJSON(): never {
    throw needsWriter;
  }
}

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber);

export const isDocumentObject = (value: JsonDocument | undefined): value is DocumentObject => isJsonObject(value);

/** The list itself when every item stays the same. */
export function mapChanged<T>(list: readonly T[], change: (item: T, index: number) => T): readonly T[] {
  let copy: T[] | undefined;
  for (let at = 0; at < list.length; at += 1) {
    const item = list[at] as T; // The index is below the length.
    const changed = change(item, at);
    if (changed !== item) (copy ??= [...list])[at] = changed;
  }
  return copy ?? list;
}

/** The names of an object in order. Most are sorted already, and a sort allocates. */
export function sortedNames(object: DocumentObject): readonly string[] {
  const names = Object.keys(object);
  let last = '';
  for (const name of names) {
    if (name < last) return names.sort();
    last = name;
  }
  return names;
}

const noFields: JsonObject = Object.freeze({});

/** The declared fields of a struct, optional; a map as it is. */
export type KnownFields<T> = string extends keyof T ? T : Partial<T>;

/** The value as an object of its static type; `{}` for any other value. */
export function asObject<T extends JsonObject>(value: T | null | undefined): KnownFields<T>;
export function asObject(value: JsonValue | undefined): JsonObject;
export function asObject(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : noFields;
}

export const withoutUndefined = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** A list of values, or of documents that are not decoded yet. */
export const isList = <T extends JsonDocument>(value: T | undefined): value is Extract<T, readonly unknown[]> =>
  Array.isArray(value);

/** The value as a list of its static type; `[]` for any other value. */
export function asList<T extends JsonValue>(value: readonly T[] | null | undefined): readonly T[];
export function asList(value: JsonValue | undefined): readonly JsonValue[];
export function asList(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** The value as a string; `''` for any other value. */
export const asString = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

/** The value at a path of field names; undefined when any step is missing. */
export function valueAt(object: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined {
  let current = object;
  for (const field of path) {
    if (!isJsonObject(current) || !Object.hasOwn(current, field)) return undefined;
    current = current[field];
  }
  return current;
}

/** A copy of `object` with the value at `path` set, or removed when `value` is undefined. Creates missing parents. */
export function withValue<T extends JsonObject>(object: T, path: readonly string[], value: JsonValue | undefined): T {
  const [field, ...rest] = path;
  if (field === undefined) return object;
  const next = rest.length === 0 ? value : withValue(asObject(object[field]), rest, value);
  if (next !== undefined) return setOwn({ ...object }, field, next);
  const { [field]: _removed, ...others } = object;
  return others as T; // The one cast: TypeScript cannot say "T without an optional field".
}

/** Sets an own property of any name, even `__proto__`, and returns the object. Only for objects that are not shared yet. */
export function setOwn<T extends object>(object: T, field: string, value: unknown): T {
  if (field === '__proto__') {
    return Object.defineProperty(object, field, { value, enumerable: true, writable: true, configurable: true });
  }
  const fields = object as Record<string, unknown>; // Object.assign would need no cast, but takes five times as long.
  fields[field] = value;
  return object;
}
