import type { Quantity } from '../../machinery/meta/quantity.ts';

/** A quantity, and whether Go holds it as a decimal fraction rather than as a 64-bit integer. */
export interface QuantityValue {
  readonly quantity: Quantity;
  readonly decimal: boolean;
}
