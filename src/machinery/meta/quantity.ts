/** An amount with the notation it was written in: `value` × 10^`scale`. */
export interface Quantity {
  readonly value: bigint;
  readonly scale: number;
  readonly format: 'DecimalSI' | 'BinarySI' | 'DecimalExponent';
  /** The text it was read from, where Go prints that again. */
  readonly text?: string;
}

export type QuantityReading =
  | { readonly outcome: 'parsed'; readonly quantity: Quantity }
  | { readonly outcome: 'malformed'; readonly error: string };

const wrongFormat = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const wrongNumber = 'unable to parse numeric part of quantity';
const wrongSuffix = "unable to parse quantity's suffix";

/** A quantity and its notation from text such as `1500m`, `1Gi`, `1e3`. Follows apimachinery pkg/api/resource/quantity.go. */
export function parseQuantity(text: string): QuantityReading {
  const parts = splitQuantity(text);
  if (parts === undefined) return malformed(wrongFormat);
  const suffix = readSuffix(parts.suffix);
  if (suffix === undefined) return malformed(wrongSuffix);
  const quick = takesInt64Path(suffix, parts);
  if (!quick && !parts.hasDigits) return malformed(wrongNumber);
  const shifted = parts.whole + parts.denominator;
  if (shifted.length > maxDigits) return malformed(wrongNumber);
  const quantity: Quantity = {
    value: BigInt(shifted) * suffix.factor * (parts.negative ? -1n : 1n),
    scale: suffix.exponent - parts.denominator.length,
    format: suffix.format,
  };
  if (!quick || quantity.scale < nano) return { outcome: 'parsed', quantity: clampQuantity(quantity) };
  const asWritten = isCanonical(suffix, shifted, quantity.scale) ? { text } : {};
  return { outcome: 'parsed', quantity: { ...quantity, ...asWritten } };
}

/** As Go prints it: `1500m`, `1Gi`; `0` for nothing. Follows apimachinery pkg/api/resource/quantity.go CanonicalizeBytes. */
export function quantityText(quantity: Quantity): string {
  if (quantity.text !== undefined) return quantity.text;
  if (quantity.value === 0n) return '0';
  const whole = quantity.format === 'BinarySI' ? toWholeUnits(quantity) : undefined;
  if (whole !== undefined && (whole >= 1024n || whole <= -1024n)) return binaryText(whole);
  return decimalText(quantity);
}

/** The text as Go prints it; the parser's error if it is no quantity. */
export function canonicalQuantity(text: string): { readonly text: string } | { readonly error: string } {
  const reading = parseQuantity(text);
  return reading.outcome === 'parsed' ? { text: quantityText(reading.quantity) } : { error: reading.error };
}

/** Negative, zero or positive as `a` is less than, equal to or more than `b`. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  if (a.value === 0n || b.value === 0n || a.value > 0n !== b.value > 0n) return signOf(a.value) - signOf(b.value);
  const difference = magnitude(a) - magnitude(b);
  if (difference !== 0) return difference * signOf(a.value);
  const scale = Math.min(a.scale, b.scale);
  return signOf(atScale(a, scale) - atScale(b, scale));
}

/** The sum in the notation of `a`, or of `b` when `a` is zero. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  if (a.value === 0n) return withoutText(b);
  if (b.value === 0n) return withoutText(a);
  const scale = Math.max(Math.min(a.scale, b.scale), nano);
  return { value: atScale(a, scale) + atScale(b, scale), scale, format: a.format };
}

export const negateQuantity = ({ value, scale, format }: Quantity): Quantity => ({ value: -value, scale, format });

/** Rounded away from zero to a multiple of 10^`scale`: -3 for the milli precision of a ResourceList. */
export function roundUpQuantity(quantity: Quantity, scale: number): Quantity {
  if (quantity.scale >= scale) return quantity;
  return { value: atScale(quantity, scale), scale, format: quantity.format };
}

/** The amount in whole units, rounded up. */
export const quantityValue = (quantity: Quantity): bigint => atScale(quantity, 0);

/** The amount in thousandths, rounded up. */
export const quantityMilliValue = (quantity: Quantity): bigint => atScale(quantity, -3);

/** The amount in billionths, rounded up. */
export const quantityNanoValue = (quantity: Quantity): bigint => atScale(quantity, nano);

/** The smallest precision: 10^-9. */
const nano = -9;
const largestBinary = 2n ** 63n - 1n;
/** Far beyond what Go can hold in 64 bits; keeps hostile exponents from making numbers of a gigabyte. */
const largestScale = 1000;

/** Ours: reading and printing a number takes time that grows faster than its length. */
const maxDigits = 1000;

interface Suffix {
  readonly factor: bigint;
  /** The power of ten. */
  readonly exponent: number;
  /** The power of two. */
  readonly binary: number;
  readonly format: Quantity['format'];
}

const decimalSuffixes: ReadonlyMap<string, number> = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);
const decimalNames: ReadonlyMap<number, string> = new Map([...decimalSuffixes].map(([name, power]) => [power, name]));
const binaryNames = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/** Follows apimachinery pkg/api/resource/suffix.go. */
function readSuffix(text: string): Suffix | undefined {
  const decimal = decimalSuffixes.get(text);
  if (decimal !== undefined) return { factor: 1n, exponent: decimal, binary: 0, format: 'DecimalSI' };
  const binary = binaryNames.indexOf(text);
  if (binary > 0) return { factor: 2n ** BigInt(binary * 10), exponent: 0, binary: binary * 10, format: 'BinarySI' };
  if (!/^[eE][-+]?[0-9]{1,18}$/.test(text)) return undefined;
  const exponent = Number(BigInt.asIntN(32, BigInt(text.slice(1).replace('+', ''))));
  return { factor: 1n, exponent, binary: 0, format: 'DecimalExponent' };
}

interface Parts {
  readonly negative: boolean;
  /** Digits before the point, without leading zeros; `0` for none. */
  readonly whole: string;
  readonly denominator: string;
  readonly hasDigits: boolean;
  readonly suffix: string;
}

function splitQuantity(text: string): Parts | undefined {
  const [head = '', sign = '', digits = '', fraction = ''] = /^([+-]?)([0-9]*)(\.[0-9]*)?/.exec(text) ?? [];
  const suffix = text.slice(head.length);
  if (text === '' || !/^[eEinumkKMGTP]*[-+]?[0-9]*$/.test(suffix)) return undefined;
  return {
    negative: sign === '-',
    whole: withoutLeadingZeros(digits),
    denominator: fraction.slice(1),
    hasDigits: /[0-9]/.test(head),
    suffix,
  };
}

/** Does the amount take Go's 64-bit path, which keeps texts that are canonical? */
function takesInt64Path(suffix: Suffix, { whole, denominator }: Parts): boolean {
  if (suffix.format !== 'BinarySI') return whole.length + denominator.length <= 18;
  return denominator === '' && 15 - whole.length - Math.trunc((suffix.binary * 3) / 10) - 1 >= 0;
}

function isCanonical(suffix: Suffix, digits: string, scale: number): boolean {
  if (suffix.format === 'BinarySI') return (BigInt(digits) & 7n) !== 0n;
  return scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
}

/** At least 1n when it is not nothing, and binary amounts at most 2^63-1. */
function clampQuantity(quantity: Quantity): Quantity {
  const { value, scale, format } = roundUpQuantity(quantity, nano);
  const size = magnitude({ value, scale, format });
  if (format !== 'BinarySI' || value === 0n) return { value, scale, format };
  if (size > 0 && abs(quantityValue({ value, scale, format })) > largestBinary) {
    return { value: value < 0n ? -largestBinary : largestBinary, scale: 0, format };
  }
  return { value, scale, format: size <= 0 ? 'DecimalSI' : format };
}

/** The number of digits before the decimal point; 0 or less below 1. */
const magnitude = ({ value, scale }: Quantity): number => abs(value).toString().length + scale;

/** The amount in units of 10^`scale`, rounded away from zero. */
function atScale({ value, scale }: Quantity, wanted: number): bigint {
  const shift = scale - wanted;
  if (shift >= 0) return value * powerOfTen(Math.min(shift, largestScale));
  if (-shift > abs(value).toString().length) return BigInt(signOf(value));
  const unit = powerOfTen(-shift);
  return value / unit + (value % unit === 0n ? 0n : BigInt(signOf(value)));
}

const powersOfTen: bigint[] = [];

const powerOfTen = (exponent: number): bigint => (powersOfTen[exponent] ??= 10n ** BigInt(exponent));

/** The amount if it is whole and not absurdly large. */
function toWholeUnits(quantity: Quantity): bigint | undefined {
  const whole = quantityValue(quantity);
  return compareQuantities({ value: whole, scale: 0, format: 'BinarySI' }, quantity) === 0 ? whole : undefined;
}

function binaryText(whole: bigint): string {
  let amount = whole;
  let power = 0;
  while (amount % 1024n === 0n && power < binaryNames.length - 1) {
    amount /= 1024n;
    power += 1;
  }
  return `${amount}${binaryNames[power]}`;
}

function decimalText({ value, scale, format }: Quantity): string {
  const digits = value.toString();
  const stripped = withoutTrailingZeros(digits);
  const exponent = scale + digits.length - stripped.length;
  const padding = ((exponent % 3) + 3) % 3;
  const number = stripped + '0'.repeat(padding);
  const power = exponent - padding;
  const name = format === 'DecimalExponent' ? undefined : decimalNames.get(power);
  if (name !== undefined) return number + name;
  return power === 0 ? number : `${number}e${power}`;
}

/** Loops, since a regular expression takes quadratic time for what a hostile client may send. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

function withoutLeadingZeros(digits: string): string {
  const stripped = digits.replace(/^0+/, '');
  return stripped === '' ? '0' : stripped;
}

const malformed = (error: string): QuantityReading => ({ outcome: 'malformed', error });
const withoutText = ({ value, scale, format }: Quantity): Quantity => ({ value, scale, format });
const abs = (value: bigint): bigint => (value < 0n ? -value : value);
const signOf = (value: bigint): number => Number(value > 0n) - Number(value < 0n);
