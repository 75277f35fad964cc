import { supported, invalidIf } from '../value-rules.ts';
import { duplicate, type FieldError, invalidValue, required, tooMany } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString, type JsonValue } from '../../../machinery/json/json.ts';
import { qualifiedNameErrors } from '../../../machinery/meta/names.ts';
import { duplicateIndexes } from '../../../machinery/duplicates.ts';
import type * as batch from '../../types/generated/batch-v1.ts';
import { each, eachOf, errorIf, type FieldErrors } from '../field-rules.ts';

const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const operators = ['In', 'NotIn'];
const statuses = ['False', 'True', 'Unknown'];
const limits = { rules: 20, conditions: 20, values: 255 } as const;

/** The file follows kubernetes pkg/apis/batch/validation validatePodFailurePolicy. */
export function failurePolicyErrors(spec: batch.JobSpec, path: string): FieldErrors {
  const { rules } = asObject(spec.podFailurePolicy);
  const template = asObject(asObject(spec.template).spec);
  const containers = [...asList(template.containers), ...asList(template.initContainers)];
  const names = new Set(containers.map((container) => asString(asObject(container).name)));
  const count = asList(rules).length;
  return [
    ...errorIf(count > limits.rules, () => tooMany(`${path}.rules`, count, limits.rules)),
    ...each(rules, `${path}.rules`, (rule, at) => [
      ...actionErrors(asString(rule.action), `${at}.action`, spec.backoffLimitPerIndex !== undefined),
      ...ruleErrors(rule, at, names),
    ]),
  ];
}

const choice = (field: string, value: string, options: readonly string[]): FieldErrors =>
  value === ''
    ? [required(field, `valid values: [${options.map((option) => `"${option}"`).join(' ')}]`)]
    : supported(field, value, options);

function actionErrors(action: string, field: string, countsIndexes: boolean): FieldErrors {
  if (action !== 'FailIndex') return choice(field, action, actions);
  return errorIf(!countsIndexes, () => invalidValue(field, action, 'requires the backoffLimitPerIndex to be set'));
}

function ruleErrors(
  { onExitCodes, onPodConditions }: batch.PodFailurePolicyRule,
  path: string,
  names: ReadonlySet<string>,
): FieldErrors {
  const conditions = asList(onPodConditions).length;
  const [hasCodes, hasConditions] = [onExitCodes !== undefined, conditions > 0];
  const list = `${path}.onPodConditions`;
  return [
    ...(hasCodes ? exitCodeErrors(asObject(onExitCodes), `${path}.onExitCodes`, names) : []),
    ...errorIf(conditions > limits.conditions, () => tooMany(list, conditions, limits.conditions)),
    ...each(onPodConditions, list, ({ type, status }, at) => [
      ...invalidIf(qualifiedNameErrors, `${at}.type`, asString(type)),
      ...choice(`${at}.status`, asString(status), statuses),
    ]),
    ...errorIf(hasCodes && hasConditions, () =>
      bare(path, 'specifying both OnExitCodes and OnPodConditions is not supported'),
    ),
    ...errorIf(!hasCodes && !hasConditions, () =>
      bare(path, 'specifying one of OnExitCodes and OnPodConditions is required'),
    ),
  ];
}

/** Upstream prints no value here. */
const bare = (field: string, detail: string): FieldError => ({ type: 'FieldValueInvalid', field, detail });

function exitCodeErrors(
  { operator, containerName, values }: batch.PodFailurePolicyOnExitCodesRequirement,
  path: string,
  names: ReadonlySet<string>,
): FieldErrors {
  const name = asString(containerName);
  const text = 'must be one of the container or initContainer names in the pod template';
  return [
    ...choice(`${path}.operator`, asString(operator), operators),
    ...errorIf(containerName !== undefined && !names.has(name), () =>
      invalidValue(`${path}.containerName`, name, text),
    ),
    ...codeErrors(asList(values), `${path}.values`, operator === 'In'),
  ];
}

function codeErrors(codes: readonly JsonValue[], path: string, isIn: boolean): FieldErrors {
  const isOrdered = codes.every((code, index) => index === 0 || Number(codes[index - 1]) <= Number(code));
  const repeats = duplicateIndexes(codes.map(String));
  return [
    ...errorIf(codes.length === 0, () => invalidValue(path, null, 'at least one value is required')),
    ...errorIf(codes.length > limits.values, () => tooMany(path, codes.length, limits.values)),
    ...eachOf(codes, (code, index) => [
      ...errorIf(isIn && code === 0, () =>
        invalidValue(`${path}[${index}]`, code, 'must not be 0 for the In operator'),
      ),
      ...errorIf(repeats.has(index), () => duplicate(`${path}[${index}]`, code)),
    ]),
    ...errorIf(!isOrdered, () => invalidValue(path, [...codes], 'must be ordered')),
  ];
}
