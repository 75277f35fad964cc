import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { finishTime } from './finish-time.ts';

/** The failures of a Job since its last success, and the time of the last one. */
export interface Failures {
  readonly count: number;
  readonly last: number;
}

export const noFailures: Failures = { count: 0, last: 0 };

interface Ended {
  readonly succeeded: readonly KubernetesObject[];
  readonly failed: readonly KubernetesObject[];
}

/** With the Pods that ended since. Follows pkg/controller/job/backoff_utils.go newBackoffRecord. */
export function failuresAfter(before: Failures, { succeeded, failed }: Ended): Failures {
  const times = failed.map(finishTime);
  if (succeeded.length === 0) {
    return times.length === 0 ? before : { count: before.count + times.length, last: Math.max(...times) };
  }
  const success = Math.max(...succeeded.map(finishTime));
  const later = times.filter((time) => time > success);
  return later.length === 0 ? noFailures : { count: later.length, last: Math.max(...later) };
}

const first = 10_000;
const longest = 600_000;

/** Milliseconds until the next Pod after these failures; 0 for none. */
export function waitAfter({ count, last }: Failures, now: number): number {
  if (count === 0) return 0;
  return Math.max(0, last + Math.min(first * 2 ** (count - 1), longest) - now);
}
