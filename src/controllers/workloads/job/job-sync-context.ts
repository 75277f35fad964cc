import type { Job } from '../../../api/types/generated/batch-v1.ts';
import type { Pod } from '../../../api/types/generated/core-v1.ts';
import { asList } from '../../../machinery/json/json.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { intOrZero, optionalInt, uidOf } from '../fields.ts';
import { isActivePod, isReady, isTerminating, millisecondsOf, phaseOf } from '../pod-state.ts';
import { matchPodFailurePolicy } from './failure-policy.ts';
import { findResultCondition, jobFailureTarget, finishTime, type JobResultCondition } from './job-conditions.ts';
import {
  countIntervals,
  includesNumber,
  type Intervals,
  toIntervals,
  overlap,
  parseIntervals,
  intervalUnion,
} from './intervals.ts';
import { type Failures, updateFailures, failuresBefore, completionIndex, isFailedPod, isTracked } from './job-pod.ts';
import { readJobStatus } from './job-status-counts.ts';

/** A Job and its Pods during one sync. */
export interface JobSyncContext {
  readonly job: Job;
  readonly pods: readonly Pod[];
  readonly active: readonly KubernetesObject[];
  readonly ready: number;
  readonly terminating: number;
  readonly succeeded: number;
  readonly failed: number;
  /** undefined unless the Job is indexed. */
  readonly indexes: Indexes | undefined;
  readonly failures: Failures;
  /** The result of the Job, if it ends. */
  readonly verdict: JobResultCondition | undefined;
}

export interface Indexes {
  readonly before: Intervals;
  readonly succeeded: Intervals;
  /** undefined without backoffLimitPerIndex. */
  readonly failed: Intervals | undefined;
  /** The last failed Pod of each index to retry. */
  readonly retried: ReadonlyMap<number, KubernetesObject>;
}

export const isSuspended = (job: Job): boolean => job.spec?.suspend === true;

export const isIndexed = (job: Job): boolean => job.spec?.completionMode === 'Indexed';

const completionsOf = (job: Job): number => intOrZero(job.spec?.completions);

/** Follows the first half of pkg/controller/job/job_controller.go syncJob. */
export function createJobSyncContext(
  job: Job,
  pods: readonly Pod[],
  { failures, now }: { readonly failures: Failures; readonly now: number },
): JobSyncContext {
  const active = pods.filter(isActivePod);
  const { uncounted, succeeded, failed: counted } = readJobStatus(job);
  const isNew = (pod: Pod, known: readonly string[]): boolean =>
    isTracked(pod) && !known.includes(uidOf(pod)) && (!isIndexed(job) || hasIndex(job, pod));
  const newSucceeded = pods.filter((pod) => phaseOf(pod) === 'Succeeded' && isNew(pod, uncounted.succeeded));
  const newFailed = pods.filter((pod) => isFailedPod(job, pod) && isNew(pod, uncounted.failed));
  const indexes = isIndexed(job) ? computeIndexes(job, pods) : undefined;
  const seen = {
    job,
    pods,
    active,
    ready: active.filter(isReady).length,
    terminating: pods.filter(isTerminating).length,
    succeeded: indexes
      ? countIntervals(indexes.succeeded)
      : succeeded + newSucceeded.length + uncounted.succeeded.length,
    failed:
      counted + newFailed.filter((pod) => matchPodFailurePolicy(job, pod).counts).length + uncounted.failed.length,
    indexes,
    failures: updateFailures(failures, { succeeded: newSucceeded, failed: newFailed }),
  };
  return { ...seen, verdict: findJobResult(seen, now) };
}

export const hasIndex = (job: Job, pod: Pod): boolean =>
  completionIndex(pod) >= 0 && completionIndex(pod) < completionsOf(job);

/** Follows pkg/controller/job/indexed_job_utils.go calculateSucceededIndexes and calculateFailedIndexes. */
function computeIndexes(job: Job, pods: readonly Pod[]): Indexes {
  const statusCounts = readJobStatus(job);
  const before = parseIntervals(statusCounts.completedIndexes, completionsOf(job));
  const tracked = pods.filter((pod) => isTracked(pod) && hasIndex(job, pod));
  const ended = tracked.filter((pod) => phaseOf(pod) === 'Succeeded');
  const succeeded = intervalUnion(before, toIntervals(ended.map(completionIndex)));
  if (optionalInt(job.spec?.backoffLimitPerIndex) === undefined) {
    return { before, succeeded, failed: undefined, retried: new Map() };
  }
  const failedIndexes = intervalUnion(
    parseIntervals(statusCounts.failedIndexes ?? '', completionsOf(job)),
    toIntervals(tracked.filter((pod) => isIndexFailed(job, pod)).map(completionIndex)),
  );
  const settled = intervalUnion(
    intervalUnion(succeeded, failedIndexes),
    toIntervals(pods.filter(isActivePod).map(completionIndex)),
  );
  return { before, succeeded, failed: failedIndexes, retried: lastFailedPods(job, tracked, settled) };
}

/** The index has no attempts left. Follows isIndexFailed. */
function isIndexFailed(job: Job, pod: Pod): boolean {
  if (!isFailedPod(job, pod)) return false;
  const { counts, action } = matchPodFailurePolicy(job, pod);
  return action === 'FailIndex' || (counts && failuresBefore(pod).counted >= intOrZero(job.spec?.backoffLimitPerIndex));
}

/** Follows getPodsWithDelayedDeletionPerIndex: the last failed Pod has the failure count of its index. */
function lastFailedPods(
  job: Job,
  tracked: readonly KubernetesObject[],
  settled: Intervals,
): ReadonlyMap<number, KubernetesObject> {
  const attempts = (pod: Pod): number => failuresBefore(pod).counted + failuresBefore(pod).ignored;
  const retried = new Map<number, KubernetesObject>();
  for (const pod of tracked) {
    if (!isFailedPod(job, pod) || includesNumber(settled, completionIndex(pod))) continue;
    const last = retried.get(completionIndex(pod));
    const isLater = !last || (attempts(last) <= attempts(pod) && finishTime(pod) >= finishTime(last));
    if (isLater) retried.set(completionIndex(pod), pod);
  }
  return retried;
}

/** An earlier result first, then failures, then the success policy. Completions are evaluated with the Pods. */
function findJobResult(context: Omit<JobSyncContext, 'verdict'>, now: number): JobResultCondition | undefined {
  const { job } = context;
  return findResultCondition(job) ?? findFailure(context, now) ?? matchSuccessPolicy(context);
}

function findFailure(
  { job, pods, failed: failures, indexes }: Omit<JobSyncContext, 'verdict'>,
  now: number,
): JobResultCondition | undefined {
  for (const pod of pods.filter((one) => isFailedPod(job, one))) {
    const { message } = matchPodFailurePolicy(job, pod);
    if (message !== undefined) return jobFailureTarget('PodFailurePolicy', message);
  }
  if (failures > intOrZero(job.spec?.backoffLimit) || pastBackoffLimitOnFailure(job, pods)) {
    return jobFailureTarget('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
  }
  const deadline = jobDeadline(job);
  if (deadline !== undefined && deadline <= now) {
    return jobFailureTarget('DeadlineExceeded', 'Job was active longer than specified deadline');
  }
  return indexes?.failed ? indexFailure(job, indexes, countIntervals(indexes.failed)) : undefined;
}

function indexFailure(job: Job, { succeeded }: Indexes, count: number): JobResultCondition | undefined {
  const max = optionalInt(job.spec?.maxFailedIndexes);
  if (max !== undefined && count > max) {
    const message = 'Job has exceeded the specified maximal number of failed indexes';
    return jobFailureTarget('MaxFailedIndexesExceeded', message);
  }
  const isOver = count > 0 && count + countIntervals(succeeded) >= completionsOf(job);
  return isOver ? jobFailureTarget('FailedIndexes', 'Job has failed indexes') : undefined;
}

function matchSuccessPolicy({ job, indexes }: Omit<JobSyncContext, 'verdict'>): JobResultCondition | undefined {
  const message = indexes && findMatchingSuccessRule(job, indexes.succeeded);
  if (message === undefined) return undefined;
  return { type: 'SuccessCriteriaMet', status: 'True', reason: 'SuccessPolicy', message };
}

/** The end of activeDeadlineSeconds, in milliseconds since 1970. */
export function jobDeadline(job: Job): number | undefined {
  const seconds = optionalInt(job.spec?.activeDeadlineSeconds);
  const start = millisecondsOf(readJobStatus(job).startTime ?? '');
  return seconds === undefined || start === undefined || isSuspended(job) ? undefined : start + seconds * 1000;
}

/** Restarted containers count too. Follows pastBackoffLimitOnFailure. */
function pastBackoffLimitOnFailure(job: Job, pods: readonly Pod[]): boolean {
  if (job.spec?.template?.spec?.restartPolicy !== 'OnFailure') return false;
  const living = pods.filter((pod) => ['Running', 'Pending'].includes(phaseOf(pod)));
  const restarts = living
    .flatMap((pod) => [...asList(pod.status?.initContainerStatuses), ...asList(pod.status?.containerStatuses)])
    .reduce<number>((sum, status) => sum + intOrZero(status.restartCount), 0);
  const limit = intOrZero(job.spec?.backoffLimit);
  return limit === 0 ? restarts > 0 : restarts >= limit;
}

/** The message of the first success policy rule that is met. Follows pkg/controller/job/success_policy.go. */
function findMatchingSuccessRule(job: Job, succeeded: Intervals): string | undefined {
  if (succeeded.length === 0) return undefined;
  const rules = asList(job.spec?.successPolicy?.rules);
  const met = rules.findIndex(({ succeededIndexes, succeededCount }) => {
    const hasCount = (count: number): boolean => typeof succeededCount === 'number' && count >= succeededCount;
    if (typeof succeededIndexes !== 'string') return hasCount(countIntervals(succeeded));
    const required = parseIntervals(succeededIndexes, intOrZero(job.spec?.completions));
    const contained = overlap(required, succeeded);
    return required.length > 0 && (contained === countIntervals(required) || hasCount(contained));
  });
  return met < 0 ? undefined : `Matched rules at index ${met}`;
}
