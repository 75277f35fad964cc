import { readDuration } from './time.ts';

const second = 1_000_000_000n;
const hour = 3600n * second;

/** The last name of a unit may go on: `seconds`, `minutes`. */
const units: readonly (readonly [names: readonly string[], nanoseconds: bigint])[] = [
  [['ns', 'nano'], 1n],
  [['us', 'µs', 'micro'], 1_000n],
  [['ms', 'milli'], 1_000_000n],
  [['s', 'sec'], second],
  [['m', 'min'], 60n * second],
  [['h', 'hr', 'hour'], hour],
  [['d', 'day'], 24n * hour],
  [['w', 'wk', 'week'], 7n * 24n * hour],
];

/** Of more digits 64 bits have no room. */
const maxDigits = 19;

/**
 * Nanoseconds of the format `duration`: Go's durations, and any text with `3 days` or `1 week` in it. Units that are not known
 * are passed over, but a number beyond 64 bits is not. Follows kube-openapi pkg/validation/strfmt/duration.go.
 */
export function readStrfmtDuration(text: string): bigint | undefined {
  const plain = readDuration(text);
  if (plain !== undefined) return plain;
  let total: bigint | undefined;
  // A number without a unit is a match too, so that the digits in it are not tried again.
  for (const [, digits = '', name = ''] of text.matchAll(/(\d+)[\t\n\f\r ]*([A-Za-zµ]*)/g)) {
    if (name === '') continue;
    const amount = amountOf(digits);
    if (amount === undefined) return undefined;
    const size = sizeOfUnit(name.toLowerCase());
    if (size !== undefined) total = BigInt.asIntN(64, (total ?? 0n) + amount * size);
  }
  return total;
}

function amountOf(digits: string): bigint | undefined {
  const known = digits.replace(/^0+/, '');
  const amount = known.length > maxDigits ? undefined : BigInt(known);
  return amount === undefined || amount >= 2n ** 63n ? undefined : amount;
}

const sizeOfUnit = (name: string): bigint | undefined =>
  units.find(([names]) => names.includes(name) || name.startsWith(names.at(-1) ?? name))?.[1];
