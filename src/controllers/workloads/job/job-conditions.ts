import type { Job, JobCondition } from '../../../api/types/generated/batch-v1.ts';
import type { ContainerStatus, Pod } from '../../../api/types/generated/core-v1.ts';
import { asList, asString } from '../../../machinery/json/json.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import { formatTime } from '../../../machinery/meta/time.ts';
import { conditionsOf, findCondition } from '../fields.ts';
import { millisecondsOf } from '../pod-state.ts';

/** Without times. */
export interface JobResultCondition {
  readonly type: 'Complete' | 'Failed' | 'SuccessCriteriaMet' | 'FailureTarget' | 'Suspended';
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

export const completionsReached: JobResultCondition = {
  type: 'SuccessCriteriaMet',
  status: 'True',
  reason: 'CompletionsReached',
  message: 'Reached expected number of succeeded pods',
};

export const jobFailureTarget = (reason: string, message: string): JobResultCondition => ({
  type: 'FailureTarget',
  status: 'True',
  reason,
  message,
});

/** A result of the current sync. */
export const toFinishedCondition = ({ type, ...verdict }: JobResultCondition): JobResultCondition => ({
  ...verdict,
  type: type === 'FailureTarget' ? 'Failed' : 'Complete',
});

/** A result of an earlier sync. */
export function findResultCondition(job: Job): JobResultCondition | undefined {
  const conditions = conditionsOf(job);
  for (const type of ['SuccessCriteriaMet', 'FailureTarget'] as const) {
    const found = findCondition(conditions, type);
    if (found?.status !== 'True') continue;
    return { type, status: 'True', reason: asString(found.reason), message: asString(found.message) };
  }
  return undefined;
}

/** Complete or Failed. Follows pkg/controller/job/util FindJobFinishedCondition. */
export const finishedCondition = (job: Job): JobCondition | undefined =>
  conditionsOf(job).find(({ type, status }) => status === 'True' && (type === 'Complete' || type === 'Failed'));

export const isFinished = (job: Job): boolean => finishedCondition(job) !== undefined;

/** The conditions with this one; a new False one is omitted. Follows ensureJobConditionStatus. */
export function ensureJobCondition(
  conditions: readonly JobCondition[],
  verdict: JobResultCondition,
  now: number,
): readonly JobCondition[] {
  const { type, status, reason, message } = verdict;
  const before = findCondition(conditions, type);
  if (!before && status === 'False') return conditions;
  if (before?.status === status && before.reason === reason && before.message === message) return conditions;
  const time = formatTime(now);
  const condition = { type, status, lastProbeTime: time, lastTransitionTime: time, reason, message };
  return before ? conditions.map((one) => (one === before ? condition : one)) : [...conditions, condition];
}

/** In milliseconds since 1970. Follows pkg/controller/job/backoff_utils.go getFinishedTime. */
export function finishTime(pod: Pod): number {
  const { creationTimestamp = '' } = metadataOf(pod);
  return containersFinishTime(pod) ?? notReadyTime(pod) ?? deletionTime(pod) ?? millisecondsOf(creationTimestamp) ?? 0;
}

/** Of the last container, if all have terminated. */
function containersFinishTime(pod: Pod): number | undefined {
  const times = asList(pod.status?.containerStatuses).map(containerFinishTime);
  const ended = times.filter((time) => time !== undefined);
  return times.length > 0 && ended.length === times.length ? Math.max(...ended) : undefined;
}

const containerFinishTime = (status: ContainerStatus): number | undefined =>
  millisecondsOf(asString(status.state?.terminated?.finishedAt));

function notReadyTime(pod: Pod): number | undefined {
  const ready = findCondition(conditionsOf(pod), 'Ready');
  return ready?.status === 'False' ? millisecondsOf(asString(ready.lastTransitionTime)) : undefined;
}

function deletionTime(pod: Pod): number | undefined {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadataOf(pod);
  const time = deletionTimestamp === undefined ? undefined : millisecondsOf(deletionTimestamp);
  return time === undefined ? undefined : time - deletionGracePeriodSeconds * 1000;
}
