import { invalidValue, required, tooLong, tooMany } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import type { JobSpec, SuccessPolicyRule } from '../../types/generated/batch-v1.ts';
import { each, nonNegative, when, type Complaints } from '../field-rules.ts';
import { readIndexes } from './job-indexes.ts';

const [mostRules, longestIndexes] = [20, 64 * 1024];

/** Follows kubernetes pkg/apis/batch/validation validateSuccessPolicy. */
export function successPolicyErrors(spec: JobSpec, path: string): Complaints {
  const { rules } = asObject(spec.successPolicy);
  const count = asList(rules).length;
  const at = `${path}.rules`;
  const needed = 'at least one rules must be specified when the successPolicy is specified';
  return [
    ...when(count === 0, () => required(at, needed)),
    ...when(count > mostRules, () => tooMany(at, count, mostRules)),
    ...each(rules, at, (rule, ruleAt) => ruleErrors(rule, ruleAt, Number(spec.completions ?? 0))),
  ];
}

function ruleErrors(
  { succeededCount, succeededIndexes }: SuccessPolicyRule,
  path: string,
  completions: number,
): Complaints {
  const indexes = asString(succeededIndexes);
  const reading = readIndexes(indexes, completions);
  const named = 'count' in reading ? reading.count : 0;
  const [wanted, countAt] = [Number(succeededCount ?? 0), `${path}.succeededCount`];
  const atMost = (most: number, of: string): Complaints =>
    when(wanted > most, () =>
      invalidValue(countAt, wanted, `must be less than or equal to ${most} (the number of ${of})`),
    );
  return [
    ...when(succeededCount === undefined && succeededIndexes === undefined, () =>
      required(path, 'at least one of succeededCount or succeededIndexes must be specified'),
    ),
    ...when(indexes.length > longestIndexes, () => tooLong(`${path}.succeededIndexes`, longestIndexes)),
    ...('problem' in reading
      ? [invalidValue(`${path}.succeededIndexes`, indexes, `error parsing succeededIndexes: ${reading.problem}`)]
      : []),
    ...nonNegative(countAt, succeededCount),
    ...(succeededCount === undefined ? [] : atMost(completions, 'specified completions')),
    ...(succeededIndexes === undefined ? [] : atMost(named, 'indexes in the specified succeededIndexes field')),
  ];
}
