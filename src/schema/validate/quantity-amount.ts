import { asString } from '../../apimachinery/json.ts';
import type { JsonValue } from '../../apimachinery/json.ts';

const powersOfTen: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const powersOfTwo: Readonly<Record<string, bigint>> = { Ki: 10n, Mi: 20n, Gi: 30n, Ti: 40n, Pi: 50n, Ei: 60n };

/**
 * A quantity in billionths, for comparing; 0 for what is no quantity, since decoding has refused those.
 * Follows apimachinery pkg/api/resource/quantity.go.
 */
export function amountOf(quantity: JsonValue | undefined): bigint {
  const text = typeof quantity === 'number' ? String(quantity) : asString(quantity);
  const match = /^([+-]?)(\d*)\.?(\d*)(?:([numkMGTPE]|[KMGTPE]i)|[eE]([+-]?\d+))?$/.exec(text);
  if (!match) return 0n;
  const [, sign, whole = '', fraction = '', suffix = '', exponent = '0'] = match;
  const digits = BigInt(`${whole}${fraction}` || '0');
  const shift = powersOfTwo[suffix];
  const power = 9 - fraction.length + (shift === undefined ? (powersOfTen[suffix] ?? 0) + Number(exponent) : 0);
  const scaled = scale(shift === undefined ? digits : digits << shift, power);
  return sign === '-' ? -scaled : scaled;
}

/** Anything below a billionth is rounded up to one. */
function scale(digits: bigint, power: number): bigint {
  if (power >= 0) return digits * 10n ** BigInt(power);
  const divisor = 10n ** BigInt(-power);
  return (digits + divisor - 1n) / divisor;
}
