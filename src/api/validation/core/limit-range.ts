import { validateUnique, validateText, each, eachKey, eachOf, errorIf, type FieldErrors } from '../field-rules.ts';
import { asObject, asString, hasEntries, type JsonValue } from '../../../machinery/json/json.ts';
import { forbiddenField, invalidValue, required } from '../../../machinery/meta/field-error.ts';
import { qualifiedNameErrors } from '../../../machinery/meta/names.ts';
import { canonicalQuantity } from '../../../machinery/meta/quantity.ts';
import { parseAmount } from '../meta/quantity-amount.ts';
import { validateContainerResourceName, isOvercommitAllowed, validateResourceName } from './resources.ts';
import { ownValue } from '../../../machinery/meta/object.ts';
import type { LimitRange, LimitRangeItem } from '../../types/generated/core-v1.ts';

const limitTypes = ['Pod', 'Container', 'PersistentVolumeClaim'];

/** Follows kubernetes pkg/apis/core/validation ValidateLimitRange. */
export function validateLimitRange(limitRange: LimitRange): FieldErrors {
  const seen = new Set<string>();
  return each(asObject(limitRange.spec).limits, 'spec.limits', (limit, at) => {
    const type = asString(limit.type);
    return [
      ...validateLimitRangeTypeName(type, `${at}.type`),
      ...validateUnique(seen, `${at}.type`, type),
      ...validateLimitResourceNames(limit, type, at),
      ...validateLimitOrder(limit, at),
    ];
  });
}

function validateLimitRangeTypeName(type: string, field: string): FieldErrors {
  const errors = validateText(qualifiedNameErrors, field, type);
  if (errors.length > 0) return errors;
  return errorIf(!type.includes('/') && !limitTypes.includes(type), () =>
    invalidValue(field, type, 'must be a standard limit type or fully qualified'),
  );
}

function validateLimitResourceNames(limit: LimitRangeItem, type: string, path: string): FieldErrors {
  const check = type === 'Pod' || type === 'Container' ? validateContainerResourceName : validateResourceName;
  const names = (field: AmountField): FieldErrors =>
    eachKey(asObject(limit[field]), (name) => check(name, `${path}.${field}[${name}]`));
  const forPod = (field: AmountField): FieldErrors =>
    hasEntries(limit[field]) ? [forbiddenField(`${path}.${field}`, "may not be specified when `type` is 'Pod'")] : [];
  const defaults = type === 'Pod' ? forPod : names;
  const hasStorage = [limit.min, limit.max].some((map) => asObject(map)['storage'] !== undefined);
  return [
    ...names('max'),
    ...names('min'),
    ...defaults('default'),
    ...defaults('defaultRequest'),
    ...errorIf(type === 'PersistentVolumeClaim' && !hasStorage, () =>
      required(`${path}.limits`, 'either minimum or maximum storage value is required, but neither was provided'),
    ),
    ...names('maxLimitRequestRatio'),
  ];
}

/** The error is about `field` and prints the value of `shown`. */
const orderedPairs = [
  { low: 'min', high: 'max', field: 'min', words: ['min', 'max'] },
  { low: 'min', high: 'defaultRequest', field: 'defaultRequest', words: ['min', 'default request'] },
  { low: 'defaultRequest', high: 'max', field: 'defaultRequest', words: ['default request', 'max'] },
  { low: 'defaultRequest', high: 'default', field: 'defaultRequest', words: ['default request', 'default limit'] },
  { low: 'min', high: 'default', field: 'default', words: ['min', 'default'], shown: 'min' },
  { low: 'default', high: 'max', field: 'default', words: ['default', 'max'], shown: 'max' },
] as const;

const amountFields = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;
type AmountField = (typeof amountFields)[number];

function validateLimitOrder(limit: LimitRangeItem, path: string): FieldErrors {
  const given = new Set(amountFields.filter((field) => limit[field] !== undefined));
  const compared = orderedPairs.filter(({ low, high }) => given.has(low) && given.has(high));
  if (compared.length === 0 && !given.has('maxLimitRequestRatio')) return [];
  const names = [...new Set([...given].map((field) => Object.keys(asObject(limit[field]))).flat())];
  return eachOf(names, (name) => [
    ...compared.flatMap((pair) => {
      const [low, high] = [limitAmount(limit, pair.low, name), limitAmount(limit, pair.high, name)];
      if (low === undefined || high === undefined || low === high || parseAmount(low) <= parseAmount(high)) return [];
      const shown = limitAmount(limit, 'shown' in pair ? pair.shown : pair.field, name) ?? '';
      const [lowWord, highWord] = pair.words;
      const text = `${lowWord} value ${asString(low)} is greater than ${highWord} value ${asString(high)}`;
      return [invalidValue(`${path}.${pair.field}[${name}]`, shown, text)];
    }),
    ...validateMaxLimitRequestRatio(limit, name, `${path}.maxLimitRequestRatio[${name}]`),
    ...validateNoOvercommit(limit, name, `${path}.defaultRequest[${name}]`),
  ]);
}

const limitAmount = (
  limit: LimitRangeItem,
  field: (typeof amountFields)[number],
  name: string,
): JsonValue | undefined => ownValue(asObject(limit[field]), name);

const nanosPerMilli = 1_000_000n;
const ratioOfOne = 1000n * nanosPerMilli;

/** The ratio is at least 1 and at most the largest limit divided by the smallest request. */
function validateMaxLimitRequestRatio(limit: LimitRangeItem, name: string, field: string): FieldErrors {
  const given = limitAmount(limit, 'maxLimitRequestRatio', name);
  if (given === undefined) return [];
  const reading = canonicalQuantity(asString(given));
  const text = 'text' in reading ? reading.text : asString(given);
  const ratio = parseAmount(given);
  const [max, min] = [limitAmount(limit, 'max', name), limitAmount(limit, 'min', name)].map(parseAmount);
  const largest = max && min ? Number(max / nanosPerMilli) / Number(min / nanosPerMilli) : Infinity;
  return [
    ...errorIf(ratio < ratioOfOne, () => invalidValue(field, text, `ratio ${text} is less than 1`)),
    ...errorIf(Number(ratio / nanosPerMilli) / 1000 > largest, () =>
      invalidValue(field, text, `ratio ${text} is greater than max/min = ${largest.toFixed(6)}`),
    ),
  ];
}

/** Without overcommit, request and limit are equal. */
function validateNoOvercommit(limit: LimitRangeItem, name: string, field: string): FieldErrors {
  const [value, request] = [limitAmount(limit, 'default', name), limitAmount(limit, 'defaultRequest', name)];
  if (value === undefined || request === undefined || isOvercommitAllowed(name)) return [];
  const text = `default value ${asString(value)} must equal to defaultRequest value ${asString(request)} in ${name}`;
  return errorIf(parseAmount(value) !== parseAmount(request), () => invalidValue(field, request, text));
}
