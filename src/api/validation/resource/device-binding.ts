import { duplicate, invalidValue } from '../../../machinery/meta/field-error.ts';
import { qualifiedNameErrors } from '../../../machinery/meta/names.ts';
import { isDuplicate } from '../../../machinery/duplicates.ts';
import { limited } from './device-names.ts';
import { eachOf, invalidIf, errorIf, type FieldErrors } from '../field-rules.ts';

export interface BindingConditions {
  readonly bindingConditions?: readonly string[];
  readonly bindingFailureConditions?: readonly string[];
}

const mostConditions = 4;

/** Follows kubernetes pkg/apis/resource/validation validateDeviceBindingParameters. */
export function bindingErrors(
  { bindingConditions = [], bindingFailureConditions = [] }: BindingConditions,
  path: string,
): FieldErrors {
  const [bound, failed] = [`${path}.bindingConditions`, `${path}.bindingFailureConditions`];
  const name = (text: string, at: string): FieldErrors => invalidIf(qualifiedNameErrors, at, text);
  return [
    ...limited(bindingConditions, bound, mostConditions, name),
    ...limited(bindingFailureConditions, failed, mostConditions, name),
    ...twice(bindingConditions, bound, []),
    ...twice(bindingFailureConditions, failed, bindingConditions),
    ...errorIf(bindingConditions.length === 0 && bindingFailureConditions.length > 0, () =>
      invalidValue(bound, null, 'bindingConditions are required to use bindingFailureConditions'),
    ),
    ...errorIf(bindingFailureConditions.length === 0 && bindingConditions.length > 0, () =>
      invalidValue(failed, null, 'bindingFailureConditions are required to use bindingConditions'),
    ),
  ];
}

function twice(conditions: readonly string[], path: string, others: readonly string[]): FieldErrors {
  const seen = new Set<string>();
  return eachOf(conditions, (condition, index) => {
    const at = `${path}[${index}]`;
    return [
      ...errorIf(isDuplicate(seen, condition), () => duplicate(at, condition)),
      ...errorIf(others.includes(condition), () =>
        invalidValue(at, condition, 'bindingFailureConditions must not overlap with bindingConditions'),
      ),
    ];
  });
}
