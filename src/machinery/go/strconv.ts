import { goQuote } from '../meta/field-error.ts';

/** A double as Go's 'g' format with the fewest digits prints it: `1`, `0.5`, `1e+21`, `+Inf`. Follows go src/strconv/ftoa.go. */
export function goFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (Object.is(value, -0)) return '-0';
  const [mantissa = '', exponentText = '0'] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  // Six, although more digits may follow: Go decides so for the shortest form.
  if (exponent >= -4 && exponent < 6) return formatPlain(mantissa, exponent);
  const sign = exponent < 0 ? '-' : '+';
  return `${mantissa}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function formatPlain(mantissa: string, exponent: number): string {
  const negative = mantissa.startsWith('-') ? '-' : '';
  const digits = mantissa.replace(/[-.]/g, '');
  if (exponent < 0) return `${negative}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const fraction = digits.slice(exponent + 1);
  return fraction === '' ? `${negative}${whole}` : `${negative}${whole}.${fraction}`;
}

export type IntegerReading =
  | { readonly outcome: 'parsed'; readonly value: number }
  | { readonly outcome: 'unparsable'; readonly error: string };

const int64: Omit<IntegerType, 'parser'> = { form: /^[+-]?\d+$/, min: -(2n ** 63n), max: 2n ** 63n - 1n };

/** A decimal integer of 64 bits; beyond 2^53 it is rounded. Follows go src/strconv/atoi.go ParseInt. */
export const parseInt64 = (text: string): IntegerReading =>
  toNumber(parseInteger(text, { parser: 'ParseInt', ...int64 }));

/** A decimal integer of 64 bits. Follows go src/strconv/atoi.go Atoi. */
export const atoi = (text: string): Parsed => parseInteger(text, { parser: 'Atoi', ...int64 });

/** An unsigned integer of 64 bits. Follows go src/strconv/atoi.go ParseUint. */
export const parseUint64 = (text: string): IntegerReading =>
  toNumber(parseInteger(text, { parser: 'ParseUint', form: /^\d+$/, min: 0n, max: 2n ** 64n - 1n }));

/** An unsigned integer of 16 bits, such as a port. */
export const parseUint16 = (text: string): IntegerReading =>
  toNumber(parseInteger(text, { parser: 'ParseUint', form: /^\d+$/, min: 0n, max: 2n ** 16n - 1n }));

interface IntegerType {
  readonly parser: string;
  readonly form: RegExp;
  readonly min: bigint;
  readonly max: bigint;
}

type Parsed =
  | { readonly outcome: 'parsed'; readonly value: bigint }
  | { readonly outcome: 'unparsable'; readonly error: string };

const toNumber = (reading: Parsed): IntegerReading =>
  reading.outcome === 'parsed' ? { outcome: 'parsed', value: Number(reading.value) } : reading;

/** With a sign; longer texts are not worth a BigInt. */
const maxLength = 21;

function parseInteger(text: string, { parser, form, min, max }: IntegerType): Parsed {
  const fails = (why: string): Parsed => ({
    outcome: 'unparsable',
    error: `strconv.${parser}: parsing ${goQuote(text)}: ${why}`,
  });
  if (!form.test(text)) return fails('invalid syntax');
  const digits = text.replace(/^\+/, '').replace(/^(-?)0+(?=\d)/, '$1');
  const value = digits.length > maxLength ? undefined : BigInt(digits);
  return value === undefined || value < min || value > max ? fails('value out of range') : { outcome: 'parsed', value };
}

const bools: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text) => [text, false] as const),
]);

/** Go's spellings of true and false; undefined for what is neither. Follows Go's strconv atob.go ParseBool. */
export const readGoBool = (text: string): boolean | undefined => bools.get(text);

/** Go's error for another text. */
export const goBoolError = (text: string): string => `strconv.ParseBool: parsing ${goQuote(text)}: invalid syntax`;
