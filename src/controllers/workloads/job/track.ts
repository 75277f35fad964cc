import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { ok, type Result } from '../../../machinery/meta/result.ts';
import { formatTime } from '../../../machinery/meta/time.ts';
import type { ApiClient } from '../../client.ts';
import type { EventRecorder } from '../event-recorder.ts';
import { intOrZero, isDeleted, optionalInt, uidOf } from '../fields.ts';
import { pods as podResource } from '../pod-control.ts';
import { phaseOf } from '../pod-state.ts';
import { updateStatus, patchObject, ignoreNotFound } from '../../write-object.ts';
import { matchPodFailurePolicy } from './failure-policy.ts';
import { countIntervals, intervalsText, toIntervals, intervalUnion } from './intervals.ts';
import { toFinishedCondition, type JobResultCondition, ensureJobCondition } from './job-conditions.ts';
import { isFailedPod, completionIndex, isTracked, trackingFinalizer } from './job-pod.ts';
import { isIndexed, type JobSyncContext, hasIndex } from './job-sync-context.ts';
import { type JobStatusCounts, toJobStatus, countUntrackedPods } from './job-status-counts.ts';
import type { Pod } from '../../../api/types/generated/core-v1.ts';
import type { Job } from '../../../api/types/generated/batch-v1.ts';

export const jobs = { group: 'batch', version: 'v1', resource: 'jobs' };

/** The maximum per sync. */
const maxUncounted = 500;

interface Tracking {
  readonly client: ApiClient;
  readonly recorder: EventRecorder;
  readonly now: () => number;
}

/**
 * Counts terminated Pods, removes their finalizers, and ends the Job. The status is written first, so that each Pod
 * counts once. Follows pkg/controller/job/job_controller.go trackJobStatusAndRemoveFinalizers.
 */
export async function trackJobStatus(
  context: JobSyncContext,
  before: JobStatusCounts,
  { client, recorder, now }: Tracking,
): Promise<Result<unknown>> {
  const removable = context.pods.filter((pod) => isTracked(pod) && canRemoveFinalizer(context, pod));
  const counted = removable.slice(0, maxUncounted);
  const noted = recordUncounted(context, countUntrackedPods(before, context.pods), counted);
  const verdict = context.verdict;
  const conditions = verdict ? ensureJobCondition(noted.conditions, verdict, now()) : noted.conditions;
  const first = await writeJobStatus(client, context.job, { ...noted, conditions });
  if (!first.ok) return first;
  const released = await removeFinalizers(client, counted);
  const remaining = context.pods.filter((pod) => !released.gone.includes(pod));
  const after = countUntrackedPods({ ...noted, conditions }, remaining);
  if (released.failure) {
    await writeJobStatus(client, first.value, after);
    return released.failure;
  }
  const isOver = verdict && counted.length === removable.length && isSettled(after);
  const done = isOver ? finishJob(after, toFinishedCondition(verdict), now()) : after;
  const second = await writeJobStatus(client, first.value, done);
  if (second.ok && isOver) recordJobFinished(second.value, toFinishedCondition(verdict), recorder);
  return second;
}

const isSettled = ({ uncounted, terminating }: JobStatusCounts): boolean =>
  uncounted.succeeded.length + uncounted.failed.length + terminating === 0;

const finishJob = (statusCounts: JobStatusCounts, verdict: JobResultCondition, now: number): JobStatusCounts => ({
  ...statusCounts,
  conditions: ensureJobCondition(statusCounts.conditions, verdict, now),
  completionTime: verdict.type === 'Complete' ? formatTime(now) : statusCounts.completionTime,
});

/** Follows canRemoveFinalizer. */
function canRemoveFinalizer({ job, verdict, indexes }: JobSyncContext, pod: Pod): boolean {
  if (isDeleted(job) || verdict || phaseOf(pod) === 'Succeeded') return true;
  return isFailedPod(job, pod) && indexes?.retried.get(completionIndex(pod)) !== pod;
}

function recordUncounted(
  { job, verdict, indexes }: JobSyncContext,
  statusCounts: JobStatusCounts,
  ending: readonly KubernetesObject[],
): JobStatusCounts {
  const succeeded = new Set(statusCounts.uncounted.succeeded);
  const failed = new Set(statusCounts.uncounted.failed);
  const isPlaced = (pod: Pod): boolean => !isIndexed(job) || hasIndex(job, pod);
  const newlySucceeded = ending.filter((pod) => phaseOf(pod) === 'Succeeded' && !failed.has(uidOf(pod)));
  // A failed Job counts the Pods that it stops.
  const bad = ending.filter(
    (pod) =>
      !newlySucceeded.includes(pod) &&
      (isFailedPod(job, pod) || verdict?.type === 'FailureTarget') &&
      isPlaced(pod) &&
      matchPodFailurePolicy(job, pod).counts,
  );
  for (const pod of bad) failed.add(uidOf(pod));
  if (!indexes) for (const pod of newlySucceeded) succeeded.add(uidOf(pod));
  const uncounted = { succeeded: [...succeeded], failed: [...failed] };
  if (!indexes) return { ...statusCounts, uncounted };
  const completed = intervalUnion(indexes.succeeded, toIntervals(newlySucceeded.filter(isPlaced).map(completionIndex)));
  return {
    ...statusCounts,
    uncounted,
    succeeded: countIntervals(completed),
    completedIndexes: intervalsText(completed),
    failedIndexes: indexes.failed && intervalsText(indexes.failed),
  };
}

const writeJobStatus = (
  client: ApiClient,
  job: Job,
  statusCounts: JobStatusCounts,
): Promise<Result<KubernetesObject>> => updateStatus(client, jobs, job, toJobStatus(statusCounts));

interface RemovedFinalizers {
  readonly gone: readonly KubernetesObject[];
  readonly failure: Result<unknown> | undefined;
}

async function removeFinalizers(client: ApiClient, pods: readonly Pod[]): Promise<RemovedFinalizers> {
  const results = await Promise.all(
    pods.map(async (pod) => ({ pod, result: await removeTrackingFinalizer(client, pod) })),
  );
  return {
    gone: results.filter(({ result }) => result.ok).map(({ pod }) => pod),
    failure: results.find(({ result }) => !result.ok)?.result,
  };
}

export async function removeTrackingFinalizer(client: ApiClient, pod: Pod): Promise<Result<unknown>> {
  if (!isTracked(pod)) return ok(undefined);
  const body = { metadata: { '$deleteFromPrimitiveList/finalizers': [trackingFinalizer] } };
  return ignoreNotFound(await patchObject(client, podResource, pod, { type: 'strategic-merge-patch', body }));
}

/** Follows recordJobFinished. */
function recordJobFinished(job: Job, { type, reason, message }: JobResultCondition, { event }: EventRecorder): void {
  if (type !== 'Complete') return event(job, 'Warning', reason, message);
  const completions = optionalInt(job.spec?.completions);
  if (completions !== undefined && intOrZero(job.status?.succeeded) > completions) {
    const tooMany = 'Too many succeeded pods running after completion count reached';
    event(job, 'Warning', 'TooManySucceededPods', tooMany);
  }
  event(job, 'Normal', 'Completed', 'Job completed');
}
