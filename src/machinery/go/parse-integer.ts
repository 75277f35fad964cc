import { goQuote } from '../meta/field-error.ts';

export type IntegerReading =
  | { readonly outcome: 'parsed'; readonly value: number }
  | { readonly outcome: 'unparsable'; readonly error: string };

/** A decimal integer of 64 bits; beyond 2^53 it is rounded. Follows go src/strconv/atoi.go ParseInt. */
export const parseInt64 = (text: string): IntegerReading =>
  parseInteger(text, { parser: 'ParseInt', form: /^[+-]?\d+$/, least: -(2n ** 63n), most: 2n ** 63n - 1n });

/** The same without a sign. Follows go src/strconv/atoi.go ParseUint. */
export const parseUint64 = (text: string): IntegerReading =>
  parseInteger(text, { parser: 'ParseUint', form: /^\d+$/, least: 0n, most: 2n ** 64n - 1n });

/** The same of 16 bits, as a port. */
export const parseUint16 = (text: string): IntegerReading =>
  parseInteger(text, { parser: 'ParseUint', form: /^\d+$/, least: 0n, most: 2n ** 16n - 1n });

interface IntegerType {
  readonly parser: string;
  readonly form: RegExp;
  readonly least: bigint;
  readonly most: bigint;
}

/** Far more digits than any value has; longer texts are not worth a BigInt. */
const mostDigits = 1000;

function parseInteger(text: string, { parser, form, least, most }: IntegerType): IntegerReading {
  const fails = (why: string): IntegerReading => ({
    outcome: 'unparsable',
    error: `strconv.${parser}: parsing ${goQuote(text)}: ${why}`,
  });
  if (!form.test(text)) return fails('invalid syntax');
  if (text.length > mostDigits) return fails('value out of range');
  const value = BigInt(text.replace(/^\+/, ''));
  return value < least || value > most ? fails('value out of range') : { outcome: 'parsed', value: Number(value) };
}
