import { nonNegative } from '../value-rules.ts';
import { invalidValue, required, tooLong, tooMany } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import type { JobSpec, SuccessPolicyRule } from '../../types/generated/batch-v1.ts';
import { each, errorIf, type FieldErrors } from '../field-rules.ts';

const [maxRules, maxIndexesLength] = [20, 64 * 1024];

/** Follows kubernetes pkg/apis/batch/validation validateSuccessPolicy. */
export function successPolicyErrors(spec: JobSpec, path: string): FieldErrors {
  const { rules } = asObject(spec.successPolicy);
  const count = asList(rules).length;
  const at = `${path}.rules`;
  const needed = 'at least one rules must be specified when the successPolicy is specified';
  return [
    ...errorIf(count === 0, () => required(at, needed)),
    ...errorIf(count > maxRules, () => tooMany(at, count, maxRules)),
    ...each(rules, at, (rule, ruleAt) => ruleErrors(rule, ruleAt, Number(spec.completions ?? 0))),
  ];
}

function ruleErrors(
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
    ...nonNegative(countAt, succeededCount),
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
    if (previous >= first) return { problem: notIncreasing(previous, first) };
    count += last - first + 1;
    previous = last;
  }
  return { count };
}

/** The first index in both. Follows validateFailedIndexesNotOverlapCompleted. */
export function sharedIndex(one: string, other: string, completions: number): number | undefined {
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
  if (limits.length > 1 && first >= last) return { problem: notIncreasing(first, last) };
  return { first, last };
}

const notIncreasing = (previous: number, current: number): string =>
  `non-increasing order, previous: ${previous}, current: ${current}`;
