import { doubleOf, Box, CelError, isBox, isInt, isList, isMap, noSuchKey } from '../value/value.ts';
import type { Result, Value } from '../value/value.ts';
import { lookup } from '../value/map-key.ts';
import { runtimeTypeName } from '../value/runtime-type.ts';
import { toText } from '../value/convert.ts';

/** What a selection or an index finds: a value, nothing, or an error. */
export type Found = Result | undefined;

/** The field of a value; undefined when it has none. Follows cel-go interpreter/attributes.go refQualify. */
export function findField(value: Value, field: string): Found {
  if (typeof value !== 'object' || value === null) return undefined;
  if (value instanceof Box) return findInBox(value, field);
  if (isList(value)) return unsupportedIndex(field);
  if (value instanceof Uint8Array) return undefined;
  return Object.hasOwn(value, field) ? value[field] : undefined;
}

function findInBox(value: Box, field: Value): Found {
  if (isBox(value, 'map')) return lookup(value, field);
  if (typeof field !== 'string') return undefined;
  if (isBox(value, 'object')) return value.value.find(field);
  if (isBox(value, 'struct')) return value.value.fields.get(field);
  return isBox(value, 'lazy') ? value.value.get(field) : undefined;
}

/** The element of a list or the value of a map; undefined when it has none. */
export function findIndex(value: Value, key: Value): Found {
  if (isList(value)) {
    const index = listIndex(key);
    return typeof index === 'number' ? value[index] : index;
  }
  if (typeof key === 'string') return findField(value, key);
  return isMap(value) ? lookup(value, key) : undefined;
}

const unsupportedIndex = (key: Value): CelError =>
  new CelError(`unsupported index type '${runtimeTypeName(key)}' in list`);

/** Whole numbers of any type may index a list. -1 stands for one that no list has. */
function listIndex(key: Value): number | CelError {
  if (isInt(key)) return typeof key === 'number' ? key : -1;
  const number = doubleOf(key);
  if (number !== undefined) return Number.isSafeInteger(number) ? number : unsupportedIndex(key);
  return isBox(key, 'uint') ? Number(key.value) : unsupportedIndex(key);
}

/** The complaint about a key or an index that is not there. */
export function missing(value: Value, key: Value): CelError {
  const text = keyText(key);
  return isList(value) ? new CelError(`index out of bounds: ${text}`) : noSuchKey(text);
}

function keyText(key: Value): string {
  const text = toText(key);
  return typeof text === 'string' ? text : runtimeTypeName(key);
}
