import { invalidValue, notSupported, required } from '../../../machinery/meta/field-error.ts';
import { labelValueErrors, qualifiedNameErrors } from '../../../machinery/meta/names.ts';
import type { DeviceToleration } from '../../types/generated/resource-v1.ts';
import { following, none, when, type Complaints } from '../field-rules.ts';

export const taintEffects = ['NoExecute', 'NoSchedule', 'None'] as const;

const isEffect = (effect: string): boolean => taintEffects.some((one) => one === effect);

/** Follows kubernetes pkg/apis/resource/validation/validation.go validateDeviceToleration. */
export function tolerationErrors(
  { key = '', operator = '', value = '', effect = '' }: DeviceToleration,
  path: string,
): Complaints {
  return [
    ...(key === '' ? none : following(qualifiedNameErrors, `${path}.key`, key)),
    ...valueErrors(),
    ...when(effect !== '' && !isEffect(effect), () => notSupported(`${path}.effect`, effect, taintEffects)),
  ];

  function valueErrors(): Complaints {
    switch (operator) {
      case 'Exists':
        return when(value !== '', () => invalidValue(`${path}.value`, value, 'must be empty for operator `Exists`'));
      case 'Equal':
        return following(labelValueErrors, `${path}.value`, value);
      case '':
        return [required(`${path}.operator`, '')];
      default:
        return [notSupported(`${path}.operator`, operator, ['Equal', 'Exists'])];
    }
  }
}
