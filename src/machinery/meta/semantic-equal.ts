import { definedFields, eitherIsRaw, sameBytes } from '../json/json-equal.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json.ts';
import { compareQuantities, parseQuantity } from './quantity.ts';

/**
 * Are two objects, both in the form in which Go's encoder prints them, the same to Kubernetes? Null and empty lists and
 * maps that stand in both places are equal, and so are quantities of the same value.
 * Follows apimachinery pkg/api/equality/semantic.go (rule MUT-14).
 */
export const semanticEqual = (a: JsonValue | undefined, b: JsonValue | undefined): boolean => equalAt(a, b, false);

/** `inQuantities`: strings here, or one level below, are quantities. */
function equalAt(a: JsonValue | undefined, b: JsonValue | undefined, inQuantities: boolean): boolean {
  if (a === b) return true;
  if (eitherIsRaw(a, b)) return sameBytes(a, b);
  if (typeof a === 'string' && typeof b === 'string') return inQuantities && sameQuantity(a, b);
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => equalAt(item, b[index], false));
  }
  if (isJsonObject(a) && isJsonObject(b)) return equalFields(a, b, inQuantities);
  return isNothing(a) && isNothing(b);
}

function equalFields(a: JsonObject, b: JsonObject, inQuantities: boolean): boolean {
  const [fieldsA, fieldsB] = [definedFields(a), definedFields(b)];
  if (fieldsA.length !== fieldsB.length) return false;
  const last = fieldsA.length - 1;
  // From the end: what an object is about stands behind its metadata, and differs most often.
  return fieldsA.every((_field, at) => {
    const field = fieldsA[last - at] ?? '';
    return Object.hasOwn(b, field) && equalAt(a[field], b[field], inQuantities || quantityFields.has(field));
  });
}

/** Not absent: only null against an empty list or map. */
const isNothing = (value: JsonValue | undefined): boolean =>
  value === null ||
  (Array.isArray(value) && value.length === 0) ||
  (isJsonObject(value) && definedFields(value).length === 0);

/** The fields of built-in types that are quantities, or maps of them. */
const quantityFields: ReadonlySet<string> = new Set([
  'allocatable',
  'allocatedResources',
  'allocationMultiplier',
  'available',
  'averageValue',
  'capacity',
  'capacityMultiplier',
  'consumed',
  'consumedCapacity',
  'default',
  'defaultRequest',
  'deviceMultiplier',
  'divisor',
  'hard',
  'limits',
  'max',
  'maxLimitRequestRatio',
  'maximumVolumeSize',
  'min',
  'overhead',
  'perContainer',
  'perPod',
  'podFixed',
  'quantity',
  'requests',
  'sizeLimit',
  'step',
  'targetAverageValue',
  'tolerance',
  'total',
  'used',
]);

/** The same amount, whatever the suffix: `1Gi` and `1073741824`. */
function sameQuantity(a: string, b: string): boolean {
  const [first, second] = [parseQuantity(a), parseQuantity(b)];
  if (first.outcome !== 'parsed' || second.outcome !== 'parsed') return false;
  return compareQuantities(first.quantity, second.quantity) === 0;
}
