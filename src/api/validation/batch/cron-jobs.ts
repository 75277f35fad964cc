import { invalidValue, notSupported, required } from '../../../machinery/meta/field-error.ts';
import { asObject, asString } from '../../../machinery/json/json.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import type { CronJob, CronJobSpec } from '../../types/generated/batch-v1.ts';
import { scheduleErrors, timeZoneErrors } from './cron-schedule.ts';
import { nonNegative, oneOf, when } from '../field-rules.ts';
import { invalidSelector } from '../meta/labels.ts';
import type { Complaints } from '../field-rules.ts';
import { jobSpecErrors } from './jobs.ts';

/** Follows kubernetes pkg/apis/batch/validation ValidateCronJobCreate. */
export function validateCronJob(cronJob: CronJob): Complaints {
  const name = metadataOf(cronJob).name ?? '';
  const text = 'must be no more than 52 characters';
  return [
    ...cronJobSpecErrors(asObject(cronJob.spec)),
    ...when(name.length > 52, () => invalidValue('metadata.name', name, text)),
  ];
}

export const validateCronJobUpdate = (cronJob: CronJob, old: CronJob, subresource: string): Complaints =>
  subresource === 'status' ? [] : cronJobSpecErrors(asObject(cronJob.spec), asObject(old.spec));

function cronJobSpecErrors(spec: CronJobSpec, old: CronJobSpec = {}): Complaints {
  const { timeZone } = spec;
  const schedule = asString(spec.schedule);
  const jobSpec = asObject(asObject(spec.jobTemplate).spec);
  return [
    ...(schedule === '' ? [required('spec.schedule', '')] : scheduleErrors(schedule)),
    ...nonNegative('spec.startingDeadlineSeconds', spec.startingDeadlineSeconds),
    ...(timeZone === undefined || timeZone === old.timeZone ? [] : timeZoneErrors(asString(timeZone), 'spec.timeZone')),
    ...oneOf('spec.concurrencyPolicy', spec.concurrencyPolicy, ['Allow', 'Forbid', 'Replace']),
    ...jobSpecErrors(jobSpec, 'spec.jobTemplate.spec'),
    ...when(jobSpec.manualSelector === true, () =>
      notSupported('spec.jobTemplate.spec.manualSelector', true, ['nil', 'false']),
    ),
    ...when(jobSpec.selector !== undefined, () =>
      invalidSelector('spec.jobTemplate.spec.selector', jobSpec.selector ?? {}, '`selector` will be auto-generated'),
    ),
    ...nonNegative('spec.successfulJobsHistoryLimit', spec.successfulJobsHistoryLimit),
    ...nonNegative('spec.failedJobsHistoryLimit', spec.failedJobsHistoryLimit),
  ];
}
