import type { Job } from '../../../api/types/generated/batch-v1.ts';
import type { Container, Pod, PodSpec } from '../../../api/types/generated/core-v1.ts';
import { asList, asObject } from '../../../machinery/json/json.ts';
import { type KubernetesObject, metadataOf, withMetadata } from '../../../machinery/meta/object.ts';
import { isDeleted, nameOf, annotatedCount } from '../fields.ts';
import { asStrings, podFromTemplate } from '../pod-control.ts';
import { phaseOf } from '../pod-state.ts';
import { finishTime } from './job-conditions.ts';

/** Keeps a Pod until its Job has counted it. */
export const trackingFinalizer = 'batch.kubernetes.io/job-tracking';
const indexKey = 'batch.kubernetes.io/job-completion-index';
const failuresKey = 'batch.kubernetes.io/job-index-failure-count';
const ignoredKey = 'batch.kubernetes.io/job-index-ignored-failure-count';

export const isTracked = (pod: Pod): boolean => metadataOf(pod).finalizers?.includes(trackingFinalizer) === true;

/** The completion index of a Pod; -1 for none. */
export function completionIndex(pod: Pod): number {
  const text = metadataOf(pod).annotations?.[indexKey] ?? '';
  return /^\d{1,10}$/.test(text) ? Number(text) : -1;
}

/** Replaces a Pod only after it has terminated. Follows onlyReplaceFailedPods. */
export const onlyReplaceFailedPods = (job: Job): boolean =>
  job.spec?.podReplacementPolicy === 'Failed' || job.spec?.podFailurePolicy !== undefined;

/** Failed, or deleted before it terminated. Follows isPodFailed. */
export const isFailedPod = (job: Job, pod: Pod): boolean =>
  phaseOf(pod) === 'Failed' || (!onlyReplaceFailedPods(job) && isDeleted(pod) && phaseOf(pod) !== 'Succeeded');

export interface IndexFailures {
  readonly counted: number;
  readonly ignored: number;
}

/** The earlier failures of this index. */
export const failuresBefore = (pod: Pod): IndexFailures => ({
  counted: annotatedCount(pod, failuresKey) ?? 0,
  ignored: annotatedCount(pod, ignoredKey) ?? 0,
});

/** A new Pod, for this index if there is one. Follows manageJob and indexed_job_utils.go. */
export function newJobPod(job: Job, index: number | undefined, failures: IndexFailures | undefined): KubernetesObject {
  const template = asObject(job.spec?.template);
  const bare = podFromTemplate(job, template);
  const finalizers = [...new Set([...(metadataOf(bare).finalizers ?? []), trackingFinalizer])];
  if (index === undefined) return withMetadata(bare, { finalizers });
  const metadata = asObject(template.metadata);
  const spec = asObject(bare.spec);
  return withMetadata(
    { ...bare, spec: { ...withIndexVariables(spec), hostname: `${nameOf(job)}-${index}` } },
    {
      generateName: indexedPrefix(nameOf(job), index),
      labels: { ...asStrings(metadata.labels), [indexKey]: String(index) },
      annotations: {
        ...asStrings(metadata.annotations),
        [indexKey]: String(index),
        ...(failures ? { [failuresKey]: String(failures.counted) } : {}),
        ...(failures && failures.ignored > 0 ? { [ignoredKey]: String(failures.ignored) } : {}),
      },
      finalizers,
    },
  );
}

const maxPrefixLength = 58;

const indexedPrefix = (name: string, index: number): string => {
  const end = `-${index}-`;
  return name.length + end.length > maxPrefixLength
    ? `${name.slice(0, maxPrefixLength - end.length)}${end}`
    : name + end;
};

function withIndexVariables(spec: PodSpec): PodSpec {
  const { containers, initContainers } = spec;
  return {
    ...spec,
    containers: asList(containers).map(withIndexVariable),
    ...(initContainers === undefined ? {} : { initContainers: asList(initContainers).map(withIndexVariable) }),
  };
}

function withIndexVariable(container: Container): Container {
  const env = asList(container.env);
  if (env.some(({ name }) => name === 'JOB_COMPLETION_INDEX')) return container;
  const fieldRef = { fieldPath: `metadata.labels['${indexKey}']` };
  return { ...container, env: [...env, { name: 'JOB_COMPLETION_INDEX', valueFrom: { fieldRef } }] };
}

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
export function updateFailures(before: Failures, { succeeded, failed }: Ended): Failures {
  const times = failed.map(finishTime);
  if (succeeded.length === 0) {
    return times.length === 0 ? before : { count: before.count + times.length, last: Math.max(...times) };
  }
  const success = Math.max(...succeeded.map(finishTime));
  const later = times.filter((time) => time > success);
  return later.length === 0 ? noFailures : { count: later.length, last: Math.max(...later) };
}

const defaultBackoffMs = 10_000;
const maxBackoffMs = 600_000;

/** Milliseconds until the next Pod after these failures; 0 for none. */
export function backoffRemaining({ count, last }: Failures, now: number): number {
  if (count === 0) return 0;
  return Math.max(0, last + Math.min(defaultBackoffMs * 2 ** (count - 1), maxBackoffMs) - now);
}
