import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import { type KubernetesObject, metadataOf } from '../../../machinery/meta/object.ts';
import { formatTime } from '../../../machinery/meta/time.ts';
import { nameOf, namespaceOf, uidOf } from '../fields.ts';
import { controllerReference } from '../ownership.ts';
import { asStrings } from '../pod-control.ts';
import { millisecondsOf } from '../pod-state.ts';
import type { CronJob, Job } from '../../../api/types/generated/batch-v1.ts';
import type { ObjectReference } from '../../../api/types/generated/core-v1.ts';

/**
 * The Job for a scheduled time, named after the minute. Follows pkg/controller/cronjob/utils.go getJobFromTemplate2.
 */
export function jobAt(cronJob: CronJob, time: number): KubernetesObject {
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
export const activeOf = (cronJob: CronJob): readonly ObjectReference[] => asList(cronJob.status?.active);

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
export function byStart(a: KubernetesObject, b: KubernetesObject): number {
  const start = (job: Job): number => millisecondsOf(asString(job.status?.startTime)) ?? Infinity;
  if (start(a) !== start(b)) return start(a) < start(b) ? -1 : 1;
  return nameOf(a) < nameOf(b) ? -1 : 1;
}
