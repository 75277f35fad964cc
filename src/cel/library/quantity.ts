import {
  addQuantities,
  compareQuantities,
  negateQuantity,
  parseQuantity,
  type Quantity,
  quantityValue,
} from '../../machinery/meta/quantity.ts';
import type { CelOperation } from '../run/frame.ts';
import { box, CelError, double, int, isBox, isInt, onBox, noSuchOverload, type CelResult } from '../value/value.ts';
import type { QuantityValue } from './opaque-values.ts';
import { type FunctionRow, readCost, unitCost } from './cel-function.ts';

const binaryPowers = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const decimalPowers: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };

/**
 * Does Go store the quantity of this text as a decimal of any size, rather than as a 64-bit integer with a scale? It
 * does so for long numbers, binary fractions and more than nine decimals. Follows apimachinery
 * pkg/api/resource/quantity.go.
 */
function isHeldAsDecimal(text: string): boolean {
  const [, digits = '', fraction = '', suffix = ''] = /^[-+]?(\d*)(?:\.(\d*))?([^]*)/.exec(text) ?? [];
  const whole = digits.replace(/^0+/, '') || '0';
  const binary = binaryPowers.indexOf(suffix) + 1;
  if (binary > 0) return fraction !== '' || 15 - whole.length - binary * 3 - 1 < 0;
  const exponent = decimalPowers[suffix] ?? Number(suffix.slice(1) || 0);
  return whole.length + fraction.length > 18 || exponent - fraction.length < -9;
}

const quantity: CelOperation = (text) => {
  if (typeof text !== 'string') return noSuchOverload;
  const reading = parseQuantity(text);
  if (reading.outcome !== 'parsed') return new CelError(reading.error);
  return box('quantity', { quantity: reading.quantity, decimal: isHeldAsDecimal(text) });
};

const isQuantity: CelOperation = (text) =>
  typeof text === 'string' ? parseQuantity(text).outcome === 'parsed' : noSuchOverload;

/** The amount as a 64-bit integer; undefined for a fraction, and for a quantity that Go stores as a decimal. */
function toInt64({ quantity: amount, decimal }: QuantityValue): bigint | undefined {
  if (decimal) return undefined;
  const whole = quantityValue(amount);
  if (compareQuantities({ value: whole, scale: 0, format: 'DecimalSI' }, amount) !== 0) return undefined;
  return int(whole) instanceof CelError ? undefined : whole;
}

function asInteger(value: QuantityValue): CelResult {
  const whole = toInt64(value);
  return whole === undefined ? new CelError('cannot convert value to integer') : int(whole);
}

const asFloat = ({ quantity: { value, scale } }: QuantityValue): CelResult => double(Number(`${value}e${scale}`));

const zero: Quantity = { value: 0n, scale: 0, format: 'DecimalSI' };

export const compareQuantity = (toResult: (order: number) => CelResult): CelOperation =>
  onBox('quantity', (value, other) =>
    isBox(other, 'quantity')
      ? toResult(Math.sign(compareQuantities(value.quantity, other.value.quantity)))
      : noSuchOverload,
  );

const addWith = (change: (amount: Quantity) => Quantity): CelOperation =>
  onBox('quantity', (value, other) => {
    if (isInt(other))
      return sumQuantities(value, { quantity: change({ ...zero, value: BigInt(other) }), decimal: false });
    if (!isBox(other, 'quantity')) return noSuchOverload;
    return sumQuantities(value, { quantity: change(other.value.quantity), decimal: other.value.decimal });
  });

const sumQuantities = (a: QuantityValue, b: QuantityValue): CelResult =>
  box('quantity', { quantity: addQuantities(a.quantity, b.quantity), decimal: a.decimal || b.decimal });

/** Quantities; comparisons are shared with versions. Follows apiserver pkg/cel/library/quantity.go. */
export const quantityFunctions: readonly FunctionRow[] = [
  ['quantity', quantity, readCost],
  ['isQuantity', isQuantity, readCost],
  ['sign', onBox('quantity', ({ quantity: amount }) => compareQuantities(amount, zero)), unitCost],
  ['isInteger', onBox('quantity', (value) => toInt64(value) !== undefined), unitCost],
  ['asInteger', onBox('quantity', asInteger), unitCost],
  ['asApproximateFloat', onBox('quantity', asFloat), unitCost],
  ['add', addWith((amount) => amount), unitCost],
  ['sub', addWith(negateQuantity), unitCost],
];
