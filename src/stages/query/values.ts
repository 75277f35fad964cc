import { isJsonObject, isList } from '../../apimachinery/json.ts';
import type { JsonValue } from '../../apimachinery/json.ts';
import { QueryFault } from './tree.ts';

/** Everything but false and null. */
export const isTruth = (value: JsonValue): boolean => value !== false && value !== null;

/** A field of an object, an item of a list; of nothing there is nothing. Throws QueryFault. */
export function memberOf(value: JsonValue, key: JsonValue): JsonValue {
  if (value === null) return null;
  if (isJsonObject(value) && typeof key === 'string') return Object.hasOwn(value, key) ? (value[key] ?? null) : null;
  if (isList(value) && typeof key === 'number') return value.at(Math.floor(key)) ?? null;
  throw new QueryFault('a field of something that has none');
}

/** The items of a list or the values of an object. Throws QueryFault. */
export function itemsOf(value: JsonValue): readonly JsonValue[] {
  if (isList(value)) return value;
  if (isJsonObject(value)) return Object.values(value).map((item) => item ?? null);
  throw new QueryFault('cannot iterate');
}

export function textFrom(value: JsonValue): string {
  if (typeof value !== 'string') throw new QueryFault('a text is expected');
  return value;
}

/** Numbers of objects; whole numbers beyond 2^53 lose their last digits, as in jq. */
export function numberFrom(value: JsonValue): number {
  if (typeof value !== 'number' && typeof value !== 'bigint') throw new QueryFault('a number is expected');
  return Number(value);
}

/** jq's order of types: null, false, true, numbers, texts, lists, objects. */
function rankOf(value: JsonValue): number {
  if (value === null) return 0;
  if (typeof value === 'boolean') return value ? 2 : 1;
  if (typeof value === 'number' || typeof value === 'bigint') return 3;
  if (typeof value === 'string') return 4;
  return isList(value) ? 5 : 6;
}

/** Negative, zero or positive, in jq's order of all values. */
export function orderOf(a: JsonValue, b: JsonValue): number {
  const ranks = rankOf(a) - rankOf(b);
  if (ranks !== 0 || a === b) return ranks;
  if (isList(a) && isList(b)) return orderOfLists(a, b);
  if (isJsonObject(a) && isJsonObject(b)) {
    const [left, right] = [Object.keys(a).toSorted(), Object.keys(b).toSorted()];
    return (
      orderOfLists(left, right) ||
      orderOfLists(
        left.map((key) => a[key] ?? null),
        right.map((key) => b[key] ?? null),
      )
    );
  }
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : 1;
  return Number(a) - Number(b);
}

function orderOfLists(a: readonly JsonValue[], b: readonly JsonValue[]): number {
  for (const [index, item] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const order = orderOf(item, other);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}
