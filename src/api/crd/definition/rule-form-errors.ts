import { trimSpace } from '../../../machinery/go/trim-space.ts';
import { invalidValue, notSupported, required } from '../../../machinery/meta/field-error.ts';
import type { FieldError } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import { readFieldPath } from '../instances/rule-field-path.ts';
import { readStructural } from '../structural.ts';
import { unsupportedFields } from './unsupported-fields.ts';

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/** What is wrong with rules before anyone compiles them. Follows apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go. */
export const ruleFormErrors = (schema: JsonObject, path: string): readonly FieldError[] =>
  asList(schema['x-kubernetes-validations']).flatMap((rule, index) =>
    formErrors(asObject(rule), schema, `${path}.x-kubernetes-validations[${index}]`),
  );

function formErrors(rule: JsonObject, schema: JsonObject, path: string): readonly FieldError[] {
  const { reason } = rule;
  const expression = asString(rule['messageExpression']);
  return [
    ...messageErrors(trimSpace(asString(rule['rule'])), asString(rule['message']), path),
    ...(expression !== '' && trimSpace(expression) === ''
      ? [required(`${path}.messageExpression`, 'messageExpression must be non-empty if specified')]
      : []),
    ...(typeof reason === 'string' && !reasons.includes(reason)
      ? [notSupported(`${path}.reason`, reason, reasons)]
      : []),
    ...fieldPathErrors(asString(rule['fieldPath']), schema, `${path}.fieldPath`),
  ];
}

const lineBreak = /[\n\r]/;

/** The first complaint is the only one. */
function messageErrors(rule: string, message: string, path: string): readonly FieldError[] {
  const trimmed = trimSpace(message);
  if (rule === '') return [required(`${path}.rule`, 'rule is not specified')];
  if (message !== '' && trimmed === '')
    return [invalidValue(`${path}.message`, message, 'must be non-empty if specified')];
  if (lineBreak.test(trimmed)) return [invalidValue(`${path}.message`, message, 'must not contain line breaks')];
  return lineBreak.test(rule) && trimmed === ''
    ? [required(`${path}.message`, 'message must be specified if rule contains line breaks')]
    : [];
}

function fieldPathErrors(fieldPath: string, schema: JsonObject, path: string): readonly FieldError[] {
  if (fieldPath === '') return [];
  return [
    ...(trimSpace(fieldPath) === '' ? [invalidValue(path, fieldPath, 'must be non-empty if specified')] : []),
    ...(lineBreak.test(fieldPath) ? [invalidValue(path, fieldPath, 'must not contain line breaks')] : []),
    ...(readFieldPath(fieldPath, readStructural(schema)).outcome === 'wrong' && unsupportedFields(schema) === undefined
      ? [invalidValue(path, fieldPath, 'must be a valid path')]
      : []),
  ];
}
