import type { JsonValue } from './json.ts';

const raws = new WeakSet<object>();

/** Marks a fresh value as bytes that Go does not read (RawExtension): it is compared in the order of its keys. */
export function asRaw(value: JsonValue): JsonValue {
  if (typeof value === 'object' && value !== null) raws.add(value);
  return value;
}

export const eitherIsRaw = (a: JsonValue | undefined, b: JsonValue | undefined): boolean => isRaw(a) || isRaw(b);

const isRaw = (value: JsonValue | undefined): boolean => typeof value === 'object' && value !== null && raws.has(value);
