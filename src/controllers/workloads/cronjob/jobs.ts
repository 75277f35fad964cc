import { asString, asList, asObject } from '../../../machinery/json/json.ts';
import { type KubernetesObject, metadataOf } from '../../../machinery/meta/object.ts';
import type { Result } from '../../../machinery/meta/result.ts';
import type { ApiClient } from '../../client.ts';
import { resourcePath } from '../../served-resources.ts';
import type { EventRecorder } from '../event-recorder.ts';
import { nameOf, namespaceOf, optionalInt, uidOf } from '../fields.ts';
import { isFinished, finishedCondition } from '../job/job-conditions.ts';
import { jobs } from '../job/track.ts';
import type { CronJob, Job } from '../../../api/types/generated/batch-v1.ts';
import type { ObjectReference } from '../../../api/types/generated/core-v1.ts';
import { formatTime } from '../../../machinery/meta/time.ts';
import { controllerReference } from '../ownership.ts';
import { asStrings } from '../pod-control.ts';
import { millisecondsOf } from '../pod-state.ts';

export interface CronJobPorts {
  readonly client: ApiClient;
  readonly recorder: EventRecorder;
  readonly now: number;
}

export interface CronJobState {
  readonly active: readonly ObjectReference[];
  readonly lastScheduleTime: string | undefined;
  readonly lastSuccessfulTime: string | undefined;
}

/** Deletes the oldest finished Jobs beyond the limits and returns them. Follows cleanupFinishedJobs. */
export async function deleteFinishedJobs(
  cronJob: CronJob,
  own: readonly KubernetesObject[],
  { client, recorder }: CronJobPorts,
): Promise<ReadonlySet<KubernetesObject>> {
  const deletedJobs = new Set<KubernetesObject>();
  const limits = [
    ['Complete', 'successfulJobsHistoryLimit'],
    ['Failed', 'failedJobsHistoryLimit'],
  ] as const;
  for (const [type, field] of limits) {
    const ended = own.filter((job) => finishedType(job) === type).sort(byStartTime);
    const limit = optionalInt(cronJob.spec?.[field]) ?? ended.length;
    for (const job of ended.slice(0, Math.max(0, ended.length - limit))) {
      if ((await deleteJob(cronJob, nameOf(job), { client, recorder })).ok) deletedJobs.add(job);
    }
  }
  return deletedJobs;
}

const finishedType = (job: Job): string => asString(finishedCondition(job)?.type);

export async function deleteJob(
  cronJob: CronJob,
  name: string,
  { client, recorder }: Pick<CronJobPorts, 'client' | 'recorder'>,
): Promise<Result<unknown>> {
  const body = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' };
  const deleted = await client({ method: 'DELETE', path: resourcePath(jobs, namespaceOf(cronJob), name), body });
  if (deleted.ok) recorder.event(cronJob, 'Normal', 'SuccessfulDelete', `Deleted job ${name}`);
  else recorder.event(cronJob, 'Warning', 'FailedDelete', `Deleted job: ${deleted.status.message ?? ''}`);
  return deleted;
}

export interface CronJobChildren {
  readonly own: readonly Job[];
  /** Deleted in this sync: they count as successes without an Event. */
  readonly gone: ReadonlySet<KubernetesObject>;
}

/** Reports the Jobs that finished since the last sync. Follows the first half of syncCronJob. */
export function syncActiveJobs(
  cronJob: CronJob,
  { own, gone }: CronJobChildren,
  { recorder }: CronJobPorts,
): CronJobState {
  const forgotten = new Set([...gone].map(uidOf));
  const before = activeJobs(cronJob).filter(({ uid }) => !forgotten.has(asString(uid)));
  const known = new Map(own.map((job) => [uidOf(job), job]));
  const successes: string[] = [];
  for (const job of own) {
    const isActive = before.some(({ uid }) => uid === uidOf(job));
    if (!isActive && !isFinished(job)) {
      const message = `Saw a job that the controller did not create or forgot: ${nameOf(job)}`;
      recorder.event(cronJob, 'Warning', 'UnexpectedJob', message);
    }
    if (isActive && isFinished(job)) {
      const message = `Saw completed job: ${nameOf(job)}, condition: ${finishedType(job)}`;
      recorder.event(cronJob, 'Normal', 'SawCompletedJob', message);
    }
    if (finishedType(job) === 'Complete') successes.push(asString(job.status?.completionTime));
  }
  const active = before.filter(({ uid, name }) => {
    const job = known.get(asString(uid));
    if (!job) recorder.event(cronJob, 'Normal', 'MissingJob', `Active job went missing: ${asString(name)}`);
    return job && !isFinished(job);
  });
  // Times of one format sort as texts.
  const last = [asString(cronJob.status?.lastSuccessfulTime), ...successes].sort().at(-1);
  return {
    active,
    lastScheduleTime: asString(cronJob.status?.lastScheduleTime) || undefined,
    lastSuccessfulTime: last === '' ? undefined : last,
  };
}

/**
 * The Job for a scheduled time, named after the minute. Follows pkg/controller/cronjob/utils.go getJobFromTemplate2.
 */
export function createJobFromTemplate(cronJob: CronJob, time: number): KubernetesObject {
  const template = asObject(cronJob.spec?.jobTemplate);
  const { labels, annotations } = asObject(template.metadata);
  return {
    kind: 'Job',
    apiVersion: 'batch/v1',
    metadata: {
      name: jobName(cronJob, time),
      namespace: namespaceOf(cronJob),
      ...(labels === undefined ? {} : { labels: asStrings(labels) }),
      annotations: {
        ...asStrings(annotations),
        'batch.kubernetes.io/cronjob-scheduled-timestamp': zonedTime(time, timeZoneOf(cronJob)),
      },
      ownerReferences: [controllerReference(cronJob)],
    },
    spec: asObject(template.spec),
  };
}

export const jobName = (cronJob: CronJob, time: number): string => `${nameOf(cronJob)}-${Math.floor(time / 60_000)}`;

export const timeZoneOf = (cronJob: CronJob): string => asString(cronJob.spec?.timeZone);

/** RFC 3339 with the offset of the time zone. */
function zonedTime(time: number, timeZone: string): string {
  if (timeZone === '') return formatTime(time);
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  const name = format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  const [, sign = '', hours = '00', minutes = '00'] = /^GMT([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  if (sign === '') return formatTime(time);
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  return formatTime(time + offset).replace('Z', `${sign}${hours}:${minutes}`);
}

/** `status.active`: unfinished Jobs. */
export const activeJobs = (cronJob: CronJob): readonly ObjectReference[] => asList(cronJob.status?.active);

/** Follows client-go tools/reference GetReference. */
export const referenceTo = (job: Job): ObjectReference => ({
  kind: 'Job',
  namespace: namespaceOf(job),
  name: nameOf(job),
  uid: uidOf(job),
  apiVersion: 'batch/v1',
  resourceVersion: metadataOf(job).resourceVersion ?? '',
});

/** By start time; unstarted ones last. Follows byJobStartTime. */
export function byStartTime(a: KubernetesObject, b: KubernetesObject): number {
  const start = (job: Job): number => millisecondsOf(asString(job.status?.startTime)) ?? Infinity;
  if (start(a) !== start(b)) return start(a) < start(b) ? -1 : 1;
  return nameOf(a) < nameOf(b) ? -1 : 1;
}
