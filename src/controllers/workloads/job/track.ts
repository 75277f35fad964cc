import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { ok, type Result } from '../../../machinery/meta/result.ts';
import { formatTime } from '../../../machinery/meta/time.ts';
import type { ApiClient } from '../../client.ts';
import type { EventRecorder } from '../event-recorder.ts';
import { intOf, isDeleted, optionalInt, uidOf } from '../fields.ts';
import { pods as podResource } from '../pod-control.ts';
import { phaseOf } from '../pod-state.ts';
import { updateStatus, patchObject, unlessGone } from '../../write-object.ts';
import { failureVerdict } from './failure-policy.ts';
import { countOf, intervalsText, ofNumbers, intervalUnion } from './intervals.ts';
import { finalOf, type JobVerdict, withVerdict } from './job-conditions.ts';
import { isFailedPod, indexOf, isTracked, trackingFinalizer } from './job-pod.ts';
import { isIndexed, type JobSyncContext, hasIndex } from './job-sync-context.ts';
import { type JobStatusCounts, tallyStatus, withCounted } from './job-status-counts.ts';
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
export async function track(
  context: JobSyncContext,
  before: JobStatusCounts,
  { client, recorder, now }: Tracking,
): Promise<Result<unknown>> {
  const removable = context.pods.filter((pod) => isTracked(pod) && mayGo(context, pod));
  const counted = removable.slice(0, maxUncounted);
  const noted = noteEnded(context, withCounted(before, context.pods), counted);
  const verdict = context.verdict;
  const conditions = verdict ? withVerdict(noted.conditions, verdict, now()) : noted.conditions;
  const first = await writeTally(client, context.job, { ...noted, conditions });
  if (!first.ok) return first;
  const released = await release(client, counted);
  const remaining = context.pods.filter((pod) => !released.gone.includes(pod));
  const after = withCounted({ ...noted, conditions }, remaining);
  if (released.failure) {
    await writeTally(client, first.value, after);
    return released.failure;
  }
  const isOver = verdict && counted.length === removable.length && isSettled(after);
  const done = isOver ? ended(after, finalOf(verdict), now()) : after;
  const second = await writeTally(client, first.value, done);
  if (second.ok && isOver) recordEnd(second.value, finalOf(verdict), recorder);
  return second;
}

const isSettled = ({ uncounted, terminating }: JobStatusCounts): boolean =>
  uncounted.succeeded.length + uncounted.failed.length + terminating === 0;

const ended = (tally: JobStatusCounts, verdict: JobVerdict, now: number): JobStatusCounts => ({
  ...tally,
  conditions: withVerdict(tally.conditions, verdict, now),
  completionTime: verdict.type === 'Complete' ? formatTime(now) : tally.completionTime,
});

/** Follows canRemoveFinalizer. */
function mayGo({ job, verdict, indexes }: JobSyncContext, pod: Pod): boolean {
  if (isDeleted(job) || verdict || phaseOf(pod) === 'Succeeded') return true;
  return isFailedPod(job, pod) && indexes?.retried.get(indexOf(pod)) !== pod;
}

function noteEnded(
  { job, verdict, indexes }: JobSyncContext,
  tally: JobStatusCounts,
  ending: readonly KubernetesObject[],
): JobStatusCounts {
  const succeeded = new Set(tally.uncounted.succeeded);
  const failed = new Set(tally.uncounted.failed);
  const isPlaced = (pod: Pod): boolean => !isIndexed(job) || hasIndex(job, pod);
  const newlySucceeded = ending.filter((pod) => phaseOf(pod) === 'Succeeded' && !failed.has(uidOf(pod)));
  // A failed Job counts the Pods that it stops.
  const bad = ending.filter(
    (pod) =>
      !newlySucceeded.includes(pod) &&
      (isFailedPod(job, pod) || verdict?.type === 'FailureTarget') &&
      isPlaced(pod) &&
      failureVerdict(job, pod).counts,
  );
  for (const pod of bad) failed.add(uidOf(pod));
  if (!indexes) for (const pod of newlySucceeded) succeeded.add(uidOf(pod));
  const uncounted = { succeeded: [...succeeded], failed: [...failed] };
  if (!indexes) return { ...tally, uncounted };
  const completed = intervalUnion(indexes.succeeded, ofNumbers(newlySucceeded.filter(isPlaced).map(indexOf)));
  return {
    ...tally,
    uncounted,
    succeeded: countOf(completed),
    completedIndexes: intervalsText(completed),
    failedIndexes: indexes.failed && intervalsText(indexes.failed),
  };
}

const writeTally = (client: ApiClient, job: Job, tally: JobStatusCounts): Promise<Result<KubernetesObject>> =>
  updateStatus(client, jobs, job, tallyStatus(tally));

interface Released {
  readonly gone: readonly KubernetesObject[];
  readonly failure: Result<unknown> | undefined;
}

async function release(client: ApiClient, pods: readonly Pod[]): Promise<Released> {
  const results = await Promise.all(pods.map(async (pod) => ({ pod, result: await untrack(client, pod) })));
  return {
    gone: results.filter(({ result }) => result.ok).map(({ pod }) => pod),
    failure: results.find(({ result }) => !result.ok)?.result,
  };
}

export async function untrack(client: ApiClient, pod: Pod): Promise<Result<unknown>> {
  if (!isTracked(pod)) return ok(undefined);
  const body = { metadata: { '$deleteFromPrimitiveList/finalizers': [trackingFinalizer] } };
  return unlessGone(await patchObject(client, podResource, pod, { type: 'strategic-merge-patch', body }));
}

/** Follows recordJobFinished. */
function recordEnd(job: Job, { type, reason, message }: JobVerdict, { event }: EventRecorder): void {
  if (type !== 'Complete') return event(job, 'Warning', reason, message);
  const completions = optionalInt(job.spec?.completions);
  if (completions !== undefined && intOf(job.status?.succeeded) > completions) {
    const tooMany = 'Too many succeeded pods running after completion count reached';
    event(job, 'Warning', 'TooManySucceededPods', tooMany);
  }
  event(job, 'Normal', 'Completed', 'Job completed');
}
