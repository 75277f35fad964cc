import { asString } from '../../apimachinery/json.ts';
import type { JsonValue } from '../../apimachinery/json.ts';
import { parseQuantity, quantityNanoValue } from '../../apimachinery/quantity.ts';

/** A quantity in billionths, for comparing; 0 for what is no quantity, since decoding has refused those. */
export const amountOf = (quantity: JsonValue | undefined): bigint => reading(quantity).amount;

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
  const read = { amount, isWhole: amount % 1_000_000_000n === 0n };
  if (text.length > longestKnown) return read;
  if (known.size >= mostKnown) known.clear();
  known.set(text, read);
  return read;
}
