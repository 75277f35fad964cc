import {
  type AnyBox,
  Box,
  box,
  CelError,
  isBox,
  isCelList,
  isMap,
  noSuchOverload,
  type CelResult,
  type Value,
} from '../value/value.ts';
import { insertEntries, mapEntries, mapSize } from '../value/map-key.ts';
import type { CelOperation } from '../run/frame.ts';
import { type FunctionRow, unitCost } from './cel-function.ts';

const dereference = new CelError('optional.none() dereference');

const value: CelOperation = (optional) => {
  if (!isBox(optional, 'optional')) return noSuchOverload;
  return optional.value ?? (optional.value === null ? null : dereference);
};

/** None for empty values: false, zero, `''`, `[]`, null. */
const ofNonZeroValue: CelOperation = (inner) => box('optional', isZero(inner) ? undefined : inner);

function isZero(inner: Value): boolean {
  if (inner === null || inner === false || inner === '' || inner === 0) return true;
  if (isCelList(inner) || inner instanceof Uint8Array) return inner.length === 0;
  if (isMap(inner)) return mapSize(inner) === 0;
  return inner instanceof Box ? isZeroBox(inner) : inner === 0n;
}

function isZeroBox(inner: AnyBox): boolean {
  if (inner.kind === 'double') return inner.value === 0;
  if (inner.kind === 'uint' || inner.kind === 'duration') return inner.value === 0n;
  if (inner.kind === 'optional') return inner.value === undefined;
  return inner.kind === 'struct' && inner.value.fields.size === 0;
}

/** The values that are there. */
const unwrap: CelOperation = (list) => {
  if (!isCelList(list)) return noSuchOverload;
  const values: Value[] = [];
  for (const element of list) {
    if (!isBox(element, 'optional')) return noSuchOverload;
    if (element.value !== undefined) values.push(element.value);
  }
  return values;
};

/** `cel.@mapInsert`, which the macros transformMap and transformMapEntry use. Follows cel-go ext/comprehensions.go. */
const mapInsert: CelOperation = (map, key, inserted) => {
  if (!isMap(map)) return noSuchOverload;
  if (isMap(key) && inserted === null) return insertEntries(map, mapEntries(key));
  return insertEntries(map, [[key, inserted]]);
};

const hasValue: CelOperation = (optional): CelResult =>
  isBox(optional, 'optional') ? optional.value !== undefined : noSuchOverload;

/** Optional values. Follows cel-go cel/library.go. */
export const optionalFunctions: readonly FunctionRow[] = [
  ['optional.of', (inner) => box('optional', inner), unitCost],
  ['optional.none', () => box('optional', undefined), unitCost],
  ['optional.ofNonZeroValue', ofNonZeroValue, unitCost],
  ['hasValue', hasValue, unitCost],
  ['value', value, unitCost],
  ['optional.unwrap', unwrap, unitCost],
  ['unwrapOpt', unwrap, unitCost],
  ['cel.@mapInsert', mapInsert, unitCost],
];
