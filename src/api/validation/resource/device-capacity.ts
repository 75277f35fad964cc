import { forbiddenField, invalidValue, required, type FieldError } from '../../../machinery/meta/field-error.ts';
import {
  addQuantities,
  compareQuantities,
  parseQuantity,
  type Quantity,
  quantityText,
  quantityValue,
} from '../../../machinery/meta/quantity.ts';
import type * as resource from '../../types/generated/resource-v1.ts';
import { validateSet } from './device-names.ts';
import { eachOf, noErrors, errorIf, type FieldErrors } from '../field-rules.ts';

// Capacity of shared devices. Follows kubernetes pkg/apis/resource/validation/validation.go.

const maxValues = 10;

/** Only shared devices have a request policy. */
export const validateSingleAllocatableDeviceCapacity = (
  { requestPolicy }: resource.DeviceCapacity,
  path: string,
): FieldErrors =>
  errorIf(requestPolicy !== undefined, () =>
    forbiddenField(`${path}.requestPolicy`, 'allowMultipleAllocations must be true'),
  );

export const validateMultiAllocatableDeviceCapacity = (
  { value = '0', requestPolicy }: resource.DeviceCapacity,
  path: string,
): FieldErrors =>
  requestPolicy ? validateRequestPolicy(parseQuantityOrZero(value), requestPolicy, `${path}.requestPolicy`) : noErrors;

function validateRequestPolicy(capacity: Quantity, policy: resource.CapacityRequestPolicy, path: string): FieldErrors {
  const { default: preset, validValues = [], validRange } = policy;
  if (validValues.length > 0 && validRange) {
    const text = 'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time';
    return [forbiddenField(path, text)];
  }
  if (validValues.length === 0 && !validRange) return noErrors;
  if (preset === undefined || preset === null) {
    const name = validRange ? 'validRange' : 'validValues';
    return [required(`${path}.default`, `required when ${name} is defined`)];
  }
  const about = { capacity, preset: parseQuantityOrZero(preset) };
  return validRange
    ? validateRequestPolicyRange(validRange, about, `${path}.validRange`)
    : validateRequestPolicyValidValues(validValues.map(parseQuantityOrZero), about, `${path}.validValues`);
}

interface CapacityDefaults {
  readonly capacity: Quantity;
  readonly preset: Quantity;
}

function validateRequestPolicyValidValues(
  values: readonly Quantity[],
  { capacity, preset }: CapacityDefaults,
  path: string,
): FieldErrors {
  const unsorted = eachOf(values.slice(1), (value, index) =>
    errorIf(isGreater(values[index] ?? value, value), () =>
      invalidValue(`${path}[${index + 1}]`, quantityText(value), 'values must be sorted in ascending order'),
    ),
  );
  const isPreset = values.length <= maxValues && values.some((value) => compareQuantities(value, preset) === 0);
  return [
    ...unsorted,
    ...validateSet(values, path, {
      max: maxValues,
      check: (value, at) =>
        errorIf(isGreater(value, capacity), () =>
          invalidValue(at, quantityText(value), `option is larger than capacity value: ${quantityText(capacity)}`),
        ),
      keyOf: (value) => String(quantityValue(value)),
    }),
    ...errorIf(!isPreset, () =>
      invalidValue(path, quantityText(preset), 'default value is not valid according to the requestPolicy'),
    ),
  ];
}

function validateRequestPolicyRange(
  range: resource.CapacityRequestPolicyRange,
  { capacity, preset }: CapacityDefaults,
  path: string,
): FieldErrors {
  if (range.min === undefined) return [required(`${path}.min`, 'required when validRange is defined')];
  const [min, max, step] = [
    parseQuantityOrZero(range.min),
    parseOptionalQuantity(range.max),
    parseOptionalQuantity(range.step),
  ];
  const wrong = (field: string, value: Quantity, text: string, limit: Quantity): FieldError =>
    invalidValue(`${path}.${field}`, quantityText(value), `${text}: ${quantityText(limit)}`);
  return [
    ...errorIf(isGreater(min, capacity), () => wrong('min', min, 'min is larger than capacity value', capacity)),
    ...errorIf(isGreater(min, preset), () => wrong('min', preset, 'default is less than min', min)),
    ...(max
      ? [
          ...errorIf(isGreater(min, max), () => wrong('max', min, 'min is larger than max', max)),
          ...errorIf(isGreater(max, capacity), () => wrong('max', max, 'max is larger than capacity value', capacity)),
          ...errorIf(isGreater(preset, max), () => wrong('max', preset, 'default is more than max', max)),
        ]
      : noErrors),
    ...(step ? validateRequestPolicyStep({ min, max, step }, { capacity, preset }, `${path}.step`) : noErrors),
  ];
}

interface Steps {
  readonly min: Quantity;
  readonly max: Quantity | undefined;
  readonly step: Quantity;
}

function validateRequestPolicyStep(
  { min, max, step }: Steps,
  { capacity, preset }: CapacityDefaults,
  path: string,
): FieldErrors {
  const first = addQuantities(min, step);
  const size = quantityValue(step);
  const isOff = (value: Quantity): boolean => size !== 0n && (quantityValue(value) - quantityValue(min)) % size !== 0n;
  const ends = max ? [preset, max] : [preset];
  return [
    ...errorIf(isGreater(first, capacity), () => {
      const text = `one step ${quantityText(first)} is larger than capacity value: ${quantityText(capacity)}`;
      return invalidValue(path, quantityText(step), text);
    }),
    ...ends.flatMap((value) =>
      errorIf(isOff(value), () => {
        const text = `value is not a multiple of a given step (${quantityText(step)}) from (${quantityText(min)})`;
        return invalidValue(path, quantityText(value), text);
      }),
    ),
  ];
}

const isGreater = (a: Quantity, b: Quantity): boolean => compareQuantities(a, b) > 0;

const parseOptionalQuantity = (text: string | undefined): Quantity | undefined =>
  text === undefined ? undefined : parseQuantityOrZero(text);

function parseQuantityOrZero(text: string): Quantity {
  const reading = parseQuantity(text);
  return reading.outcome === 'parsed' ? reading.quantity : { value: 0n, scale: 0, format: 'DecimalSI' };
}
