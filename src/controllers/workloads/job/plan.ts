import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { sortForDeletion } from '../deletion-order.ts';
import { intOrZero, optionalInt } from '../fields.ts';
import { isTerminating } from '../pod-state.ts';
import { matchPodFailurePolicy } from './failure-policy.ts';
import { finishTime } from './job-conditions.ts';
import { firstMissing, toIntervals, intervalUnion } from './intervals.ts';
import {
  failuresBefore,
  type IndexFailures,
  completionIndex,
  onlyReplaceFailedPods,
  backoffRemaining,
} from './job-pod.ts';
import { type Indexes, isSuspended, type JobSyncContext, hasIndex } from './job-sync-context.ts';
import type { Pod } from '../../../api/types/generated/core-v1.ts';
import type { Job } from '../../../api/types/generated/batch-v1.ts';

/** The Pods to create or to delete; never both. */
export type JobPlan =
  | { readonly act: 'delete'; readonly pods: readonly Pod[] }
  | { readonly act: 'create'; readonly pods: readonly NewPod[] }
  /** Backoff: milliseconds until the next Pod. */
  | { readonly act: 'wait'; readonly milliseconds: number }
  | { readonly act: 'nothing' };

export interface NewPod {
  readonly index?: number;
  /** Of its index, with backoffLimitPerIndex. */
  readonly failures?: IndexFailures;
}

/** The maximum per sync. */
const max = 500;

/** Follows pkg/controller/job/job_controller.go manageJob. */
export function planJob(context: JobSyncContext, now: number): JobPlan {
  const { job, active } = context;
  const desired = isSuspended(job) ? 0 : wantedPods(context);
  const toDelete = podsToDelete(context, Math.max(0, active.length - desired), now).slice(
    0,
    isSuspended(job) ? Infinity : max,
  );
  if (isSuspended(job) || toDelete.length > 0) return { act: 'delete', pods: toDelete };
  const missing = desired - active.length - (onlyReplaceFailedPods(job) ? context.terminating : 0);
  if (missing <= 0) return { act: 'nothing' };
  return context.indexes?.failed
    ? planRetries(context, context.indexes, { missing, now })
    : planCreation(context, { missing, now });
}

function wantedPods({ job, active, succeeded }: JobSyncContext): number {
  const parallelism = intOrZero(job.spec?.parallelism);
  const completions = optionalInt(job.spec?.completions);
  // Without completions, one success is enough.
  if (completions === undefined) return succeeded > 0 ? active.length : parallelism;
  return Math.max(0, Math.min(parallelism, completions - succeeded));
}

interface MissingPods {
  readonly missing: number;
  readonly now: number;
}

function planCreation(context: JobSyncContext, { missing, now }: MissingPods): JobPlan {
  const milliseconds = backoffRemaining(context.failures, now);
  if (milliseconds > 0) return { act: 'wait', milliseconds };
  const count = Math.min(missing, max);
  if (!context.indexes) return { act: 'create', pods: Array.from({ length: count }, () => ({})) };
  return { act: 'create', pods: freeIndexes(context, context.indexes, count).map((index) => ({ index })) };
}

/** Each index has its own backoff. Follows getPodCreationInfoForIndependentIndexes. */
function planRetries(context: JobSyncContext, indexes: Indexes, { missing, now }: MissingPods): JobPlan {
  const free = freeIndexes(context, indexes, Math.min(missing, max)).map((index) => {
    const last = indexes.retried.get(index);
    const failures = last ? addIndexFailure(context.job, last) : { counted: 0, ignored: 0 };
    const count = failures.counted + failures.ignored;
    return { index, failures, wait: last ? backoffRemaining({ count, last: finishTime(last) }, now) : 0 };
  });
  const due = free.filter(({ wait }) => wait === 0);
  if (due.length > 0) return { act: 'create', pods: due };
  return free.length === 0
    ? { act: 'nothing' }
    : { act: 'wait', milliseconds: Math.min(...free.map(({ wait }) => wait)) };
}

/** Follows getNewIndexFailureCounts. */
function addIndexFailure(job: Job, last: KubernetesObject): IndexFailures {
  const { counted, ignored } = failuresBefore(last);
  return matchPodFailurePolicy(job, last).counts
    ? { counted: counted + 1, ignored }
    : { counted, ignored: ignored + 1 };
}

/** Follows firstPendingIndexes. */
function freeIndexes(
  { job, pods, active }: JobSyncContext,
  { succeeded, failed = [] }: Indexes,
  count: number,
): readonly number[] {
  const busy = onlyReplaceFailedPods(job) ? [...active, ...pods.filter(isTerminating)] : active;
  const taken = toIntervals(busy.map(completionIndex).filter((index) => index >= 0));
  return firstMissing(intervalUnion(intervalUnion(succeeded, failed), taken), count, intOrZero(job.spec?.completions));
}

/** Pods without a valid index are always removed. Follows activePodsForRemoval. */
function podsToDelete({ job, active, indexes }: JobSyncContext, min: number, now: number): readonly KubernetesObject[] {
  const ordered = sortForDeletion(active, [], now);
  const remaining = new Map<number, KubernetesObject>();
  for (const pod of ordered) remaining.set(completionIndex(pod), pod);
  const hasPlace = (pod: Pod): boolean => hasIndex(job, pod) && remaining.get(completionIndex(pod)) === pod;
  const excess = indexes ? ordered.filter((pod) => !hasPlace(pod)) : [];
  const others = ordered.filter((pod) => !excess.includes(pod));
  return [...excess, ...others.slice(0, Math.max(0, min - excess.length))];
}
