import { invalidValue, notSupported, required } from '../../../machinery/meta/field-error.ts';
import { labelValueErrors, qualifiedNameErrors } from '../../../machinery/meta/names.ts';
import type { DeviceToleration } from '../../types/generated/resource-v1.ts';
import { invalidIf, noErrors, errorIf, type FieldErrors } from '../field-rules.ts';

export const taintEffects = ['NoExecute', 'NoSchedule', 'None'] as const;

const isEffect = (effect: string): boolean => taintEffects.some((one) => one === effect);

/** Follows kubernetes pkg/apis/resource/validation/validation.go validateDeviceToleration. */
export function tolerationErrors(
  { key = '', operator = '', value = '', effect = '' }: DeviceToleration,
  path: string,
): FieldErrors {
  return [
    ...(key === '' ? noErrors : invalidIf(qualifiedNameErrors, `${path}.key`, key)),
    ...valueErrors(),
    ...errorIf(effect !== '' && !isEffect(effect), () => notSupported(`${path}.effect`, effect, taintEffects)),
  ];

  function valueErrors(): FieldErrors {
    switch (operator) {
      case 'Exists':
        return errorIf(value !== '', () => invalidValue(`${path}.value`, value, 'must be empty for operator `Exists`'));
      case 'Equal':
        return invalidIf(labelValueErrors, `${path}.value`, value);
      case '':
        return [required(`${path}.operator`, '')];
      default:
        return [notSupported(`${path}.operator`, operator, ['Equal', 'Exists'])];
    }
  }
}
