import {
  validateEnum,
  validateText,
  validateNonNegative,
  each,
  eachOf,
  errorIf,
  type FieldErrors,
} from '../field-rules.ts';
import {
  duplicate,
  type FieldError,
  invalidValue,
  required,
  tooMany,
  tooLong,
} from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString, type JsonValue } from '../../../machinery/json/json.ts';
import { qualifiedNameErrors } from '../../../machinery/meta/names.ts';
import { duplicateIndexes } from '../../../machinery/lists.ts';
import type * as batch from '../../types/generated/batch-v1.ts';
import type { JobSpec, SuccessPolicyRule } from '../../types/generated/batch-v1.ts';

const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const operators = ['In', 'NotIn'];
const statuses = ['False', 'True', 'Unknown'];
const limits = { rules: 20, conditions: 20, values: 255 } as const;

/** The file follows kubernetes pkg/apis/batch/validation validatePodFailurePolicy. */
export function validatePodFailurePolicy(spec: batch.JobSpec, path: string): FieldErrors {
  const { rules } = asObject(spec.podFailurePolicy);
  const template = asObject(asObject(spec.template).spec);
  const containers = [...asList(template.containers), ...asList(template.initContainers)];
  const names = new Set(containers.map((container) => asString(asObject(container).name)));
  const count = asList(rules).length;
  return [
    ...errorIf(count > limits.rules, () => tooMany(`${path}.rules`, count, limits.rules)),
    ...each(rules, `${path}.rules`, (rule, at) => [
      ...validateAction(asString(rule.action), `${at}.action`, spec.backoffLimitPerIndex !== undefined),
      ...validatePodFailurePolicyRule(rule, at, names),
    ]),
  ];
}

const validateChoice = (field: string, value: string, options: readonly string[]): FieldErrors =>
  value === ''
    ? [required(field, `valid values: [${options.map((option) => `"${option}"`).join(' ')}]`)]
    : validateEnum(field, value, options);

function validateAction(action: string, field: string, countsIndexes: boolean): FieldErrors {
  if (action !== 'FailIndex') return validateChoice(field, action, actions);
  return errorIf(!countsIndexes, () => invalidValue(field, action, 'requires the backoffLimitPerIndex to be set'));
}

function validatePodFailurePolicyRule(
  { onExitCodes, onPodConditions }: batch.PodFailurePolicyRule,
  path: string,
  names: ReadonlySet<string>,
): FieldErrors {
  const conditions = asList(onPodConditions).length;
  const [hasCodes, hasConditions] = [onExitCodes !== undefined, conditions > 0];
  const list = `${path}.onPodConditions`;
  return [
    ...(hasCodes ? validateOnExitCodes(asObject(onExitCodes), `${path}.onExitCodes`, names) : []),
    ...errorIf(conditions > limits.conditions, () => tooMany(list, conditions, limits.conditions)),
    ...each(onPodConditions, list, ({ type, status }, at) => [
      ...validateText(qualifiedNameErrors, `${at}.type`, asString(type)),
      ...validateChoice(`${at}.status`, asString(status), statuses),
    ]),
    ...errorIf(hasCodes && hasConditions, () =>
      newInvalidWithoutValue(path, 'specifying both OnExitCodes and OnPodConditions is not supported'),
    ),
    ...errorIf(!hasCodes && !hasConditions, () =>
      newInvalidWithoutValue(path, 'specifying one of OnExitCodes and OnPodConditions is required'),
    ),
  ];
}

/** Upstream prints no value here. */
const newInvalidWithoutValue = (field: string, detail: string): FieldError => ({
  type: 'FieldValueInvalid',
  field,
  detail,
});

function validateOnExitCodes(
  { operator, containerName, values }: batch.PodFailurePolicyOnExitCodesRequirement,
  path: string,
  names: ReadonlySet<string>,
): FieldErrors {
  const name = asString(containerName);
  const text = 'must be one of the container or initContainer names in the pod template';
  return [
    ...validateChoice(`${path}.operator`, asString(operator), operators),
    ...errorIf(containerName !== undefined && !names.has(name), () =>
      invalidValue(`${path}.containerName`, name, text),
    ),
    ...validateExitCodeValues(asList(values), `${path}.values`, operator === 'In'),
  ];
}

function validateExitCodeValues(codes: readonly JsonValue[], path: string, isIn: boolean): FieldErrors {
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

const [maxRules, maxIndexesLength] = [20, 64 * 1024];

/** Follows kubernetes pkg/apis/batch/validation validateSuccessPolicy. */
export function validateSuccessPolicy(spec: JobSpec, path: string): FieldErrors {
  const { rules } = asObject(spec.successPolicy);
  const count = asList(rules).length;
  const at = `${path}.rules`;
  const needed = 'at least one rules must be specified when the successPolicy is specified';
  return [
    ...errorIf(count === 0, () => required(at, needed)),
    ...errorIf(count > maxRules, () => tooMany(at, count, maxRules)),
    ...each(rules, at, (rule, ruleAt) => validateSuccessPolicyRule(rule, ruleAt, Number(spec.completions ?? 0))),
  ];
}

function validateSuccessPolicyRule(
  { succeededCount, succeededIndexes }: SuccessPolicyRule,
  path: string,
  completions: number,
): FieldErrors {
  const indexes = asString(succeededIndexes);
  const reading = readIndexes(indexes, completions);
  const named = 'count' in reading ? reading.count : 0;
  const [wanted, countAt] = [Number(succeededCount ?? 0), `${path}.succeededCount`];
  const atMost = (max: number, of: string): FieldErrors =>
    errorIf(wanted > max, () =>
      invalidValue(countAt, wanted, `must be less than or equal to ${max} (the number of ${of})`),
    );
  return [
    ...errorIf(succeededCount === undefined && succeededIndexes === undefined, () =>
      required(path, 'at least one of succeededCount or succeededIndexes must be specified'),
    ),
    ...errorIf(indexes.length > maxIndexesLength, () => tooLong(`${path}.succeededIndexes`, maxIndexesLength)),
    ...('problem' in reading
      ? [invalidValue(`${path}.succeededIndexes`, indexes, `error parsing succeededIndexes: ${reading.problem}`)]
      : []),
    ...validateNonNegative(countAt, succeededCount),
    ...(succeededCount === undefined ? [] : atMost(completions, 'specified completions')),
    ...(succeededIndexes === undefined ? [] : atMost(named, 'indexes in the specified succeededIndexes field')),
  ];
}

type Reading = { readonly count: number } | { readonly problem: string };
type Interval = { readonly first: number; readonly last: number } | { readonly problem: string };

/** Follows kubernetes pkg/apis/batch/validation validateIndexesFormat. */
export function readIndexes(text: string, completions: number): Reading {
  let [count, previous] = [0, -1];
  for (const part of text === '' ? [] : text.split(',')) {
    const interval = readInterval(part, completions);
    if ('problem' in interval) return interval;
    const { first, last } = interval;
    if (previous >= first) return { problem: formatNotIncreasing(previous, first) };
    count += last - first + 1;
    previous = last;
  }
  return { count };
}

/** The first index in both. Follows validateFailedIndexesNotOverlapCompleted. */
export function findSharedIndex(one: string, other: string, completions: number): number | undefined {
  const [left, right] = [one, other].map((text) =>
    text.split(',').flatMap((part) => {
      const interval = readInterval(part, completions);
      return 'problem' in interval ? [] : [interval];
    }),
  );
  let [at, against] = [0, 0];
  for (;;) {
    const [a, b] = [left?.[at], right?.[against]];
    if (!a || !b) return undefined;
    if (a.first <= b.last && b.first <= a.last) return Math.max(a.first, b.first);
    if (a.first <= b.first) at += 1;
    else against += 1;
  }
}

function readInterval(text: string, completions: number): Interval {
  const limits = text.split('-');
  if (limits.length > 2) {
    const rule = "the requirement that an index interval can have at most two parts separated by '-'";
    return { problem: `the fragment ${JSON.stringify(text)} violates ${rule}` };
  }
  for (const limit of limits) {
    const shown = JSON.stringify(limit);
    if (!/^[+-]?\d+$/.test(limit)) return { problem: `cannot convert string to integer for index: ${shown}` };
    if (Number(limit) >= completions) return { problem: `too large index: ${shown}` };
  }
  const [first = 0, last = first] = limits.map(Number);
  if (limits.length > 1 && first >= last) return { problem: formatNotIncreasing(first, last) };
  return { first, last };
}

const formatNotIncreasing = (previous: number, current: number): string =>
  `non-increasing order, previous: ${previous}, current: ${current}`;
