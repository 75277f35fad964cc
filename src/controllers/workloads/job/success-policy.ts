import { asList } from '../../../machinery/json/json.ts';
import { intOf } from '../fields.ts';
import { countOf, overlap, parseIntervals } from './intervals.ts';
import type { Intervals } from './intervals.ts';
import type { Job } from '../../../api/types/generated/batch-v1.ts';

/** What to say of the first rule of the success policy that these indexes meet. Follows pkg/controller/job/success_policy.go. */
export function metSuccessRule(job: Job, succeeded: Intervals): string | undefined {
  if (succeeded.length === 0) return undefined;
  const rules = asList(job.spec?.successPolicy?.rules);
  const met = rules.findIndex(({ succeededIndexes, succeededCount }) => {
    const hasCount = (count: number): boolean => typeof succeededCount === 'number' && count >= succeededCount;
    if (typeof succeededIndexes !== 'string') return hasCount(countOf(succeeded));
    const required = parseIntervals(succeededIndexes, intOf(job.spec?.completions));
    const contained = overlap(required, succeeded);
    return required.length > 0 && (contained === countOf(required) || hasCount(contained));
  });
  return met < 0 ? undefined : `Matched rules at index ${met}`;
}
