import { isJsonObject } from './json.ts';
import type { JsonObject, JsonValue } from './json.ts';

/**
 * Are two objects, both in the form in which Go's encoder prints them, the same to Kubernetes? Null and empty lists and
 * maps that stand in both places are equal, and so are quantities of the same value.
 * Follows apimachinery pkg/api/equality/semantic.go (rule MUT-14).
 */
export const semanticEqual = (a: JsonValue | undefined, b: JsonValue | undefined): boolean => equalAt(a, b, false);

/** `inQuantities`: strings here, or one level below, are quantities. */
function equalAt(a: JsonValue | undefined, b: JsonValue | undefined, inQuantities: boolean): boolean {
  if (a === b) return true;
  if (typeof a === 'string' && typeof b === 'string') return inQuantities && sameQuantity(a, b);
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => equalAt(item, b[index], false));
  }
  if (isJsonObject(a) && isJsonObject(b)) return equalFields(a, b, inQuantities);
  return isNothing(a) && isNothing(b);
}

function equalFields(a: JsonObject, b: JsonObject, inQuantities: boolean): boolean {
  const [fieldsA, fieldsB] = [fieldsOf(a), fieldsOf(b)];
  if (fieldsA.length !== fieldsB.length) return false;
  return fieldsA.every(
    (field) => Object.hasOwn(b, field) && equalAt(a[field], b[field], inQuantities || quantityFields.has(field)),
  );
}

const fieldsOf = (object: JsonObject): readonly string[] =>
  Object.keys(object).filter((field) => object[field] !== undefined);

/** Not absent: only null against an empty list or map. */
const isNothing = (value: JsonValue | undefined): boolean =>
  value === null ||
  (Array.isArray(value) && value.length === 0) ||
  (isJsonObject(value) && fieldsOf(value).length === 0);

/** The fields of built-in types that are quantities, or maps of them. */
const quantityFields: ReadonlySet<string> = new Set([
  'allocatable',
  'allocatedResources',
  'averageValue',
  'capacity',
  'default',
  'defaultRequest',
  'divisor',
  'hard',
  'limits',
  'max',
  'maxLimitRequestRatio',
  'min',
  'overhead',
  'podFixed',
  'requests',
  'sizeLimit',
  'targetAverageValue',
  'used',
]);

/** The same number, whatever the suffix: `1Gi` and `1024Mi`. Follows apimachinery pkg/api/resource/quantity.go Cmp. */
function sameQuantity(a: string, b: string): boolean {
  const [first, second] = [quantityOf(a), quantityOf(b)];
  if (first === undefined || second === undefined) return false;
  const scale = Math.min(first.exponent, second.exponent);
  return at(first, scale) === at(second, scale);
}

/** `digits` times ten to the `exponent`. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

const at = ({ digits, exponent }: Decimal, scale: number): bigint => digits * 10n ** BigInt(exponent - scale);

const quantityPattern = /^([+-]?)(\d*)(?:\.(\d*))?(Ki|Mi|Gi|Ti|Pi|Ei|n|u|m|k|M|G|T|P|E|[eE][+-]?\d+)?$/;

const binarySuffixes: readonly string[] = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const decimalSuffixes: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};

function quantityOf(text: string): Decimal | undefined {
  const match = quantityPattern.exec(text);
  const [, sign = '', whole = '', fraction = '', suffix = ''] = match ?? [];
  if (!match || whole + fraction === '') return undefined;
  const digits = BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n);
  const binary = binarySuffixes.indexOf(suffix) + 1;
  const exponent = /^[eE]./.test(suffix) && binary === 0 ? Number(suffix.slice(1)) : (decimalSuffixes[suffix] ?? 0);
  return { digits: digits * 1024n ** BigInt(binary), exponent: exponent - fraction.length };
}
