import { trimSpace } from '../../../machinery/go/strings.ts';
import { duplicate, type FieldError, invalidValue, required } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString, isJsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { byteLength, qualifiedNameErrors } from '../../../machinery/meta/names.ts';
import { type KubernetesObject, metadataOf } from '../../../machinery/meta/object.ts';
import { duplicateIndexes } from '../../../machinery/lists.ts';
import {
  type CompileExpression,
  createPolicyExpressions,
  type PolicyExpressions,
  storedTexts,
} from './policy-expressions.ts';
import { validatePolicySpec } from './validate-policy.ts';
import { supportedValueErrors } from './validate-match-rules.ts';
import type * as v1 from '../../../api/types/generated/admissionregistration-v1.ts';

/**
 * Validates the spec. Follows kubernetes pkg/apis/admissionregistration/validation/validation.go (rules CFG-70 to
 * CFG-77).
 */
export function validateValidatingPolicy(
  policy: KubernetesObject,
  compile?: CompileExpression,
  old?: KubernetesObject,
): readonly FieldError[] {
  const typed: v1.ValidatingAdmissionPolicy = policy;
  const spec = asObject(typed.spec);
  const hasVariables = asList(spec.variables).length > 0;
  const expressions = createPolicyExpressions(compile, {
    params: isJsonObject(spec.paramKind),
    hasVariables,
    storedTexts: storedTexts(old),
  });
  const validations = asList(spec.validations);
  const annotations = asList(spec.auditAnnotations);
  const shared = validatePolicySpec(spec, expressions);
  if (validations.length === 0 && annotations.length === 0) {
    const text = 'validations or auditAnnotations must contain at least one item';
    return [...shared, required('spec.validations', text), required('spec.auditAnnotations', text)];
  }
  const policyName = metadataOf(policy).name ?? '';
  return [
    ...shared,
    ...validations.flatMap((validation, index) =>
      validateValidation(asObject(validation), `spec.validations[${index}]`, expressions),
    ),
    ...validateAnnotations(annotations, 'spec.auditAnnotations', policyName, expressions),
  ];
}

const maximumAnnotations = 20;
const maximumValueExpression = 5 * 1024;

function validateAnnotations(
  annotations: readonly v1.AuditAnnotation[],
  path: string,
  policyName: string,
  expressions: PolicyExpressions,
): readonly FieldError[] {
  const repeats = duplicateIndexes(annotations.map((annotation) => asString(asObject(annotation).key)));
  return [
    ...(annotations.length > maximumAnnotations ? [tooManyAnnotations(annotations, path)] : []),
    ...annotations.flatMap((annotation, index) => [
      ...validateAnnotation(asObject(annotation), `${path}[${index}]`, policyName, expressions),
      ...(repeats.has(index) ? [duplicate(`${path}[${index}].key`, asString(asObject(annotation).key))] : []),
    ]),
  ];
}

/** Upstream prints its internal type, without JSON names. */
function tooManyAnnotations(annotations: readonly v1.AuditAnnotation[], path: string): FieldError {
  const printed = annotations.map((annotation) => {
    const { key, valueExpression } = asObject(annotation);
    return { Key: asString(key), ValueExpression: asString(valueExpression) };
  });
  return invalidValue(path, printed, `must not have more than ${maximumAnnotations} auditAnnotations`);
}

function validateValidation(
  { expression, message, messageExpression, reason }: v1.Validation,
  path: string,
  expressions: PolicyExpressions,
): readonly FieldError[] {
  return [
    ...expressions.check(asString(expression), `${path}.expression`, ['bool']),
    ...validateMessageExpression(messageExpression, `${path}.messageExpression`, expressions),
    ...validateMessage(message, `${path}.message`),
    ...supportedValueErrors(reason, `${path}.reason`, ['Forbidden', 'Invalid', 'RequestEntityTooLarge']),
  ];
}

function validateMessageExpression(
  value: JsonValue | undefined,
  path: string,
  expressions: PolicyExpressions,
): readonly FieldError[] {
  const text = asString(value);
  if (text === '') return [];
  if (trimSpace(text) === '') return [invalidValue(path, text, 'must be non-empty if specified')];
  return expressions.check(text, path, ['string'], { authorizer: false });
}

function validateMessage(value: JsonValue | undefined, path: string): readonly FieldError[] {
  const text = asString(value);
  if (text === '') return [];
  if (trimSpace(text) === '') return [invalidValue(path, text, 'must be non-empty if specified')];
  return /[\r\n]/.test(trimSpace(text)) ? [invalidValue(path, text, 'must not contain line breaks')] : [];
}

function validateAnnotation(
  annotation: v1.AuditAnnotation,
  path: string,
  policyName: string,
  expressions: PolicyExpressions,
): readonly FieldError[] {
  const key = asString(annotation.key);
  const text = asString(annotation.valueExpression);
  const keyErrors =
    policyName === ''
      ? [invalidValue(`${path}.key`, key, 'requires metadata.name be non-empty')]
      : qualifiedNameErrors(`${policyName}/${key}`).map((error) =>
          invalidValue(`${path}.key`, `${policyName}/${key}`, error),
        );
  return [...keyErrors, ...validateValueExpression(text, `${path}.valueExpression`, expressions)];
}

function validateValueExpression(text: string, path: string, expressions: PolicyExpressions): readonly FieldError[] {
  if (trimSpace(text) === '') return [required(path, 'valueExpression is not specified')];
  if (byteLength(trimSpace(text)) > maximumValueExpression) {
    return [required(path, `must not exceed ${maximumValueExpression} bytes in length`)];
  }
  return expressions.check(trimSpace(text), path, ['string', 'null_type'], { quoted: text });
}
