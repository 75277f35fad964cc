import {
  type AnyBox,
  Box,
  type CelResult,
  isBox,
  isCelList,
  isInt,
  isMap,
  listKindOf,
  type Value,
  CelError,
  noSuchOverload,
} from './value.ts';
import { lookup, mapEntries, mapSize } from './map-key.ts';
import { compareQuantities } from '../../machinery/meta/quantity.ts';

/** `==`: numbers by size, lists and maps by content, different kinds never. Follows cel-go common/types/util.go Equal. */
export function equals(a: Value, b: Value): boolean {
  if (a === b) return typeof a !== 'number' || !Number.isNaN(a);
  if (typeof a === 'string' || typeof b === 'string') return false;
  if (isNumeric(a)) return isNumeric(b) && compareNumbers(a, b) === 0;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  return sameObjects(a, b);
}

const cacheThreshold = 1000;
/** How many pairs of objects have been compared, ever. */
let comparisons = 0;
/** Caches equal pairs of more than a thousand parts: comparing nested lists of the same lists would take minutes. */
const knownEqual = new WeakMap<object, WeakSet<object>>();

function sameObjects(a: Value & object, b: Value & object): boolean {
  if (comparisons > 0 && knownEqual.get(a)?.has(b) === true) return true;
  const before = comparisons;
  comparisons += 1;
  if (!haveSameContent(a, b)) return false;
  if (comparisons - before > cacheThreshold) cacheEqual(a, b);
  return true;
}

function cacheEqual(a: object, b: object): void {
  const others = knownEqual.get(a) ?? new WeakSet();
  others.add(b);
  knownEqual.set(a, others);
}

function haveSameContent(a: Value & object, b: Value & object): boolean {
  if (isCelList(a)) return isCelList(b) && sameLists(a, b);
  if (a instanceof Uint8Array) return b instanceof Uint8Array && compareBytes(a, b) === 0;
  if (isBox(a, 'object')) return a.value.equals(b);
  if (isMap(a)) return isMap(b) && sameEntries(a, b);
  return a instanceof Box && b instanceof Box && sameBoxes(a, b);
}

/** Sets and maps that are written as lists compare by their own rules as the left operand. */
const sameLists = (a: readonly Value[], b: readonly Value[]): boolean => listKindOf(a)?.equals(b) ?? sameElements(a, b);

const sameElements = (a: readonly Value[], b: readonly Value[]): boolean =>
  a.length === b.length && a.every((element, index) => equals(element, b[index] ?? null));

/** Where the list has this value, first or last; -1 for nowhere. */
export function indexOfValue(list: readonly Value[], expected: Value, isLast = false): number {
  const isWanted = (element: Value): boolean => equals(element, expected);
  return isLast ? list.findLastIndex(isWanted) : list.findIndex(isWanted);
}

function sameEntries(a: Parameters<typeof mapSize>[0], b: Parameters<typeof mapSize>[0]): boolean {
  if (mapSize(a) !== mapSize(b)) return false;
  return mapEntries(a).every(([key, value]) => {
    const other = lookup(b, key);
    return other !== undefined && equals(value, other);
  });
}

function sameBoxes(a: AnyBox, b: AnyBox): boolean {
  if (a.kind === 'optional' && b.kind === 'optional') return sameOptionals(a.value, b.value);
  if (a.kind === 'quantity' && b.kind === 'quantity')
    return compareQuantities(a.value.quantity, b.value.quantity) === 0;
  if (a.kind === 'struct' && b.kind === 'struct') {
    const { name, fields } = a.value;
    const others = b.value.fields;
    return name === b.value.name && sameFields(fields, others);
  }
  return a.kind === b.kind && boxIdentity(a) === boxIdentity(b);
}

const sameOptionals = (a: Value | undefined, b: Value | undefined): boolean =>
  a === undefined || b === undefined ? a === b : equals(a, b);

const sameFields = (a: ReadonlyMap<string, Value>, b: ReadonlyMap<string, Value>): boolean =>
  a.size === b.size &&
  [...a].every(([field, value]) => {
    const other = b.get(field);
    return other !== undefined && equals(value, other);
  });

/** What decides whether two boxes of the same kind are equal. */
function boxIdentity(value: AnyBox): unknown {
  if (value.kind === 'semver') return value.value.identity;
  const named = value.kind === 'url' || value.kind === 'ip' || value.kind === 'cidr' || value.kind === 'format';
  return named ? value.value.text : value.value;
}

export const isNumeric = (value: CelResult): value is number | bigint | Box<'double'> | Box<'uint'> =>
  typeof value === 'number' || typeof value === 'bigint' || isBox(value, 'double') || isBox(value, 'uint');

type Numeric = number | bigint | Box<'double'> | Box<'uint'>;

/** -1, 0 or 1; NaN when one side is. An int meets a double as a double. Follows cel-go common/types/compare.go. */
export function compareNumbers(a: Numeric, b: Numeric): number {
  const left = plainNumber(a);
  const right = plainNumber(b);
  if (typeof left === 'bigint' && isIntegral(b)) return compareRaw(left, BigInt(right));
  if (typeof right === 'bigint' && isIntegral(a)) return compareRaw(BigInt(left), right);
  return compareRaw(Number(left), Number(right));
}

const isIntegral = (value: Numeric): boolean => isInt(value) || isBox(value, 'uint');
const plainNumber = (value: Numeric): number | bigint => (value instanceof Box ? value.value : value);

function compareRaw<T extends number | bigint>(a: T, b: T): number {
  if (a < b) return -1;
  if (a > b) return 1;
  return a === b ? 0 : Number.NaN;
}

/** -1, 0 or 1, byte by byte. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  return Math.sign(a.length - b.length);
}

/** -1, 0 or 1 for values that have an order, NaN next to NaN; undefined for others. */
export function compareValues(a: Value, b: Value): number | undefined {
  if (isNumeric(a)) return isNumeric(b) ? compareNumbers(a, b) : undefined;
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compareBytes(a, b);
  return compareMoments(a, b);
}

function compareMoments(a: Value, b: Value): number | undefined {
  if (isBox(a, 'timestamp') && isBox(b, 'timestamp')) return compareBigints(a.value, b.value);
  return isBox(a, 'duration') && isBox(b, 'duration') ? compareBigints(a.value, b.value) : undefined;
}

/** By code point: JavaScript's order by UTF-16 unit differs beyond the basic plane. */
export function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return compareUnits(left, right);
  }
  return Math.sign(a.length - b.length);
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;

/** A surrogate belongs to a character above all others. */
function compareUnits(left: number, right: number): number {
  if (isSurrogate(left) === isSurrogate(right)) return Math.sign(left - right);
  return isSurrogate(left) ? 1 : -1;
}

export const compareBigints = (a: bigint, b: bigint): number => Number(a > b) - Number(a < b);

type Comparison = (a: CelResult, b: CelResult) => CelResult;

/** `<` and its like. */
const comparison =
  (holds: (order: number) => boolean): Comparison =>
  (a, b) => {
    if (a instanceof CelError) return a;
    if (b instanceof CelError) return b;
    const order = compareValues(a, b);
    return order === undefined ? noSuchOverload : holds(order);
  };

export const less = comparison((found) => found < 0);
export const lessEquals = comparison((found) => found <= 0);
export const greater = comparison((found) => found > 0);
export const greaterEquals = comparison((found) => found >= 0);
