import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import { conditionsOf, compactStatus, intOrZero, uidOf } from '../fields.ts';
import { isTracked } from './job-pod.ts';
import type { Job, JobCondition, JobStatus, UncountedTerminatedPods } from '../../../api/types/generated/batch-v1.ts';
import type { Pod } from '../../../api/types/generated/core-v1.ts';

/** The status of a Job during one sync. */
export interface JobStatusCounts {
  readonly startTime: string | undefined;
  readonly completionTime: string | undefined;
  readonly active: number;
  readonly ready: number;
  readonly terminating: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly completedIndexes: string;
  readonly failedIndexes: string | undefined;
  /** Terminated Pods that are not counted yet, by uid: a lost write counts nothing twice. */
  readonly uncounted: Uncounted;
  readonly conditions: readonly JobCondition[];
}

export interface Uncounted {
  readonly succeeded: readonly string[];
  readonly failed: readonly string[];
}

export function readJobStatus(job: Job): JobStatusCounts {
  const status = asObject(job.status);
  const uncounted = asObject(status.uncountedTerminatedPods);
  const failedIndexes = status.failedIndexes;
  return {
    startTime: asString(status.startTime) || undefined,
    completionTime: asString(status.completionTime) || undefined,
    active: intOrZero(status.active),
    ready: intOrZero(status.ready),
    terminating: intOrZero(status.terminating),
    succeeded: intOrZero(status.succeeded),
    failed: intOrZero(status.failed),
    completedIndexes: asString(status.completedIndexes),
    failedIndexes: typeof failedIndexes === 'string' ? failedIndexes : undefined,
    uncounted: {
      succeeded: asList(uncounted.succeeded).map(asString),
      failed: asList(uncounted.failed).map(asString),
    },
    conditions: conditionsOf(job),
  };
}

export const toJobStatus = ({ uncounted, ...statusCounts }: JobStatusCounts): JobStatus =>
  compactStatus<JobStatus>(
    { ...statusCounts, uncountedTerminatedPods: compactStatus<UncountedTerminatedPods>({ ...uncounted }) },
    ['ready', 'terminating', 'failedIndexes'],
  );

/** Counts Pods whose finalizer is removed. Follows cleanUncountedPodsWithoutFinalizers. */
export function countUntrackedPods(statusCounts: JobStatusCounts, pods: readonly Pod[]): JobStatusCounts {
  const held = new Set(pods.filter(isTracked).map(uidOf));
  const isHeld = (uid: string): boolean => held.has(uid);
  const uncounted = {
    succeeded: statusCounts.uncounted.succeeded.filter(isHeld),
    failed: statusCounts.uncounted.failed.filter(isHeld),
  };
  return {
    ...statusCounts,
    uncounted,
    succeeded: statusCounts.succeeded + statusCounts.uncounted.succeeded.length - uncounted.succeeded.length,
    failed: statusCounts.failed + statusCounts.uncounted.failed.length - uncounted.failed.length,
  };
}
