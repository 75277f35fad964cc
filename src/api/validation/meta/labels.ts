import { validateText, eachKey, eachOf, noErrors } from '../field-rules.ts';
import {
  type FieldError,
  forbiddenField,
  invalidValue,
  invalidWord,
  required,
} from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString, type JsonValue } from '../../../machinery/json/json.ts';
import { concat } from '../../../machinery/lists.ts';
import { labelValueErrors, qualifiedNameErrors } from '../../../machinery/meta/names.ts';
import { dropEmpty } from '../../types/internal-form.ts';
import type { LabelSelector, LabelSelectorRequirement } from '../../types/generated/meta-v1.ts';

/** The file follows apimachinery pkg/apis/meta/v1/validation/validation.go. */
export function validateLabels(labels: JsonValue | undefined, path: string): readonly FieldError[] {
  if (labels === undefined) return noErrors;
  const map = asObject(labels);
  return eachKey(map, (key) =>
    concat(validateText(qualifiedNameErrors, path, key), validateText(labelValueErrors, path, asString(map[key]))),
  );
}

/** Selectors are printed with JSON names. */
export const newInvalidSelector = (field: string, selector: LabelSelector, detail: string): FieldError => ({
  ...invalidValue(field, dropEmpty(selector), detail),
  given: selector,
});

export function validateLabelSelector(selector: LabelSelector | null | undefined, path: string): readonly FieldError[] {
  const { matchLabels, matchExpressions } = asObject(selector);
  return [
    ...validateLabels(matchLabels, `${path}.matchLabels`),
    ...eachOf(asList(matchExpressions), (item, index) =>
      validateLabelSelectorRequirement(item, `${path}.matchExpressions[${index}]`),
    ),
  ];
}

function validateLabelSelectorRequirement(requirement: LabelSelectorRequirement, path: string): readonly FieldError[] {
  const { key, operator, values } = asObject(requirement);
  const texts = asList(values);
  return [
    ...validateOperator(asString(operator), texts.length, path),
    ...validateText(qualifiedNameErrors, `${path}.key`, asString(key)),
    ...eachOf(texts, (value, index) => validateText(labelValueErrors, `${path}.values[${index}]`, asString(value))),
  ];
}

function validateOperator(operator: string, values: number, path: string): readonly FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values > 0 ? [] : [required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      return values === 0
        ? []
        : [forbiddenField(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    default:
      return [invalidWord(`${path}.operator`, operator, 'not a valid selector operator')];
  }
}
