import { asString } from '../../apimachinery/json.ts';
import type { JsonValue } from '../../apimachinery/json.ts';
import { parseQuantity, quantityNanoValue } from '../../apimachinery/quantity.ts';

/** A quantity in billionths, for comparing; 0 for what is no quantity, since decoding has refused those. */
export function amountOf(quantity: JsonValue | undefined): bigint {
  const reading = parseQuantity(typeof quantity === 'number' ? String(quantity) : asString(quantity));
  return reading.outcome === 'parsed' ? quantityNanoValue(reading.quantity) : 0n;
}
