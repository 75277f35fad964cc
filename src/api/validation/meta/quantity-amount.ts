import { asString, type JsonValue } from '../../../machinery/json/json.ts';
import {
  parseQuantity,
  type Quantity,
  quantityMilliValue,
  quantityNanoValue,
} from '../../../machinery/meta/quantity.ts';

/** In billionths, for comparison; 0 for an invalid quantity, which decoding rejects. */
export const parseAmount = (quantity: JsonValue | undefined): bigint => readAmount(quantity).amount;

/** Rounded up, as Go's Quantity.Value(). */
export function roundQuantityUp(quantity: JsonValue | undefined): bigint {
  const { amount, isWhole: whole } = readAmount(quantity);
  return amount / billion + (amount > 0n && !whole ? 1n : 0n);
}

const billion = 1_000_000_000n;

/** Whether upstream warns about a fraction of a byte; also for very large amounts: see wrappedMilliValue. */
export function isFractional(quantity: JsonValue | undefined): boolean {
  const parsed = parseQuantity(typeof quantity === 'number' ? String(quantity) : asString(quantity));
  return parsed.outcome === 'parsed' && wrapMilliValue(parsed.quantity) % 1000n !== 0n;
}

/** Go's MilliValue, whose 64 bits overflow. Follows apimachinery pkg/api/resource/{amount,math}.go. */
function wrapMilliValue(quantity: Quantity): bigint {
  const milli = quantityMilliValue(quantity);
  const wrapped = BigInt.asIntN(64, milli);
  const isShort = quantity.format !== 'BinarySI' && String(quantity.value).replace('-', '').length <= 18;
  return wrapped === milli || !isShort || wrappingPowers.has(quantity.scale + 3) ? wrapped : 0n;
}

const wrappingPowers = new Set([0, 1, 2, 3, 6, 9]);

export const isWhole = (quantity: JsonValue | undefined): boolean => readAmount(quantity).isWhole;

interface Amount {
  readonly amount: bigint;
  readonly isWhole: boolean;
}

/** A cache: the same few amounts recur. */
const known = new Map<string, Amount>();
const maxCached = 1000;
const maxCachedLength = 32;

function readAmount(quantity: JsonValue | undefined): Amount {
  const text = typeof quantity === 'number' ? String(quantity) : asString(quantity);
  const same = known.get(text);
  if (same) return same;
  const parsed = parseQuantity(text);
  const amount = parsed.outcome === 'parsed' ? quantityNanoValue(parsed.quantity) : 0n;
  const read = { amount, isWhole: amount % billion === 0n };
  if (text.length > maxCachedLength) return read;
  if (known.size >= maxCached) known.clear();
  known.set(text, read);
  return read;
}
