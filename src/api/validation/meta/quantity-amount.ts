import { asString } from '../../../machinery/json/json.ts';
import type { JsonValue } from '../../../machinery/json/json.ts';
import { parseQuantity, quantityMilliValue, quantityNanoValue } from '../../../machinery/meta/quantity.ts';
import type { Quantity } from '../../../machinery/meta/quantity.ts';

/** A quantity in billionths, for comparing; 0 for what is no quantity, since decoding has refused those. */
export const amountOf = (quantity: JsonValue | undefined): bigint => reading(quantity).amount;

/** The quantity as a whole number, rounded up as by Go's Quantity.Value(). */
export function valueOf(quantity: JsonValue | undefined): bigint {
  const { amount, isWhole: whole } = reading(quantity);
  return amount / billion + (amount > 0n && !whole ? 1n : 0n);
}

const billion = 1_000_000_000n;

/** Does upstream warn of a fraction of a byte? Of very large amounts too: see wrappedMilliValue. */
export function isFractional(quantity: JsonValue | undefined): boolean {
  const parsed = parseQuantity(typeof quantity === 'number' ? String(quantity) : asString(quantity));
  return parsed.outcome === 'parsed' && wrappedMilliValue(parsed.quantity) % 1000n !== 0n;
}

/**
 * What Go's MilliValue returns: the amount in thousandths in 64 bits, which large ones overflow. Follows apimachinery
 * pkg/api/resource/{amount,math}.go: some powers of ten wrap around, others give 0.
 */
function wrappedMilliValue(quantity: Quantity): bigint {
  const milli = quantityMilliValue(quantity);
  const wrapped = BigInt.asIntN(64, milli);
  const isShort = quantity.format !== 'BinarySI' && String(quantity.value).replace('-', '').length <= 18;
  return wrapped === milli || !isShort || wrappingPowers.has(quantity.scale + 3) ? wrapped : 0n;
}

const wrappingPowers = new Set([0, 1, 2, 3, 6, 9]);

/** Is the amount without a fraction? */
export const isWhole = (quantity: JsonValue | undefined): boolean => reading(quantity).isWhole;

interface Amount {
  readonly amount: bigint;
  readonly isWhole: boolean;
}

/** The same few amounts are asked for again and again, and a long list of them takes its time. */
const known = new Map<string, Amount>();
const mostKnown = 1000;
const longestKnown = 32;

function reading(quantity: JsonValue | undefined): Amount {
  const text = typeof quantity === 'number' ? String(quantity) : asString(quantity);
  const same = known.get(text);
  if (same) return same;
  const parsed = parseQuantity(text);
  const amount = parsed.outcome === 'parsed' ? quantityNanoValue(parsed.quantity) : 0n;
  const read = { amount, isWhole: amount % billion === 0n };
  if (text.length > longestKnown) return read;
  if (known.size >= mostKnown) known.clear();
  known.set(text, read);
  return read;
}
