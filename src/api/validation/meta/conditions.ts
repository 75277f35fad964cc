import {
  validateUnique,
  validateRequiredText,
  validateRequiredEnum,
  each,
  errorIf,
  type FieldErrors,
} from '../field-rules.ts';
import { invalidValue, required, tooLong } from '../../../machinery/meta/field-error.ts';
import { asString } from '../../../machinery/json/json.ts';
import { qualifiedNameErrors, regexText } from '../../../machinery/meta/names.ts';
import type { Condition } from '../../types/generated/meta-v1.ts';

/** The file follows apimachinery pkg/apis/meta/v1/validation ValidateConditions. */
export function validateConditions(conditions: readonly Condition[] | undefined, path: string): FieldErrors {
  const types = new Set<string>();
  return each(conditions, path, (condition, at) => {
    const type = asString(condition.type);
    return [...validateUnique(types, at, type), ...validateCondition(condition, type, at)];
  });
}

const reasonFormat = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?';
const reasonRegex = new RegExp(`^${reasonFormat}$`);
const reasonText = regexText(
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'",
  reasonFormat,
  'my_name',
  'MY_NAME',
  'MyName',
  'ReasonA,ReasonB',
  'ReasonA:ReasonB',
);

function validateCondition(condition: Condition, type: string, path: string): FieldErrors {
  const { observedGeneration = 0, lastTransitionTime } = condition;
  const reason = asString(condition.reason);
  const statuses = ['False', 'True', 'Unknown'];
  return [
    ...validateRequiredText(qualifiedNameErrors, `${path}.type`, type, 'is required'),
    ...validateRequiredEnum(`${path}.status`, condition.status, statuses),
    ...errorIf(Number(observedGeneration) < 0, () =>
      invalidValue(`${path}.observedGeneration`, observedGeneration, 'must be greater than or equal to zero'),
    ),
    ...errorIf(lastTransitionTime === undefined || lastTransitionTime === null, () =>
      required(`${path}.lastTransitionTime`, ''),
    ),
    ...errorIf(reason === '', () => required(`${path}.reason`, '')),
    ...errorIf(reason !== '' && !reasonRegex.test(reason), () => invalidValue(`${path}.reason`, reason, reasonText)),
    ...errorIf(reason.length > 1024, () => tooLong(`${path}.reason`, 1024)),
    ...errorIf(asString(condition.message).length > 32768, () => tooLong(`${path}.message`, 32768)),
  ];
}
