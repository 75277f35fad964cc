import { validateNonNegative, validateRequiredEnum, errorIf, type FieldErrors } from '../field-rules.ts';
import { parseCronSchedule } from '../../../machinery/go/cron-schedule.ts';
import { asObject, asString } from '../../../machinery/json/json.ts';
import { invalidValue, notSupported, required } from '../../../machinery/meta/field-error.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import type { CronJob, CronJobSpec } from '../../types/generated/batch-v1.ts';
import { newInvalidSelector } from '../meta/labels.ts';
import { validateJobSpec } from './jobs.ts';

/** Follows kubernetes pkg/apis/batch/validation ValidateCronJobCreate. */
export function validateCronJob(cronJob: CronJob): FieldErrors {
  const name = metadataOf(cronJob).name ?? '';
  const text = 'must be no more than 52 characters';
  return [
    ...validateCronJobSpec(asObject(cronJob.spec)),
    ...errorIf(name.length > 52, () => invalidValue('metadata.name', name, text)),
  ];
}

export const validateCronJobUpdate = (cronJob: CronJob, old: CronJob, subresource: string): FieldErrors =>
  subresource === 'status' ? [] : validateCronJobSpec(asObject(cronJob.spec), asObject(old.spec));

function validateCronJobSpec(spec: CronJobSpec, old: CronJobSpec = {}): FieldErrors {
  const { timeZone } = spec;
  const schedule = asString(spec.schedule);
  const jobSpec = asObject(asObject(spec.jobTemplate).spec);
  return [
    ...(schedule === '' ? [required('spec.schedule', '')] : validateScheduleFormat(schedule)),
    ...validateNonNegative('spec.startingDeadlineSeconds', spec.startingDeadlineSeconds),
    ...(timeZone === undefined || timeZone === old.timeZone
      ? []
      : validateTimeZone(asString(timeZone), 'spec.timeZone')),
    ...validateRequiredEnum('spec.concurrencyPolicy', spec.concurrencyPolicy, ['Allow', 'Forbid', 'Replace']),
    ...validateJobSpec(jobSpec, 'spec.jobTemplate.spec'),
    ...errorIf(jobSpec.manualSelector === true, () =>
      notSupported('spec.jobTemplate.spec.manualSelector', true, ['nil', 'false']),
    ),
    ...errorIf(jobSpec.selector !== undefined, () =>
      newInvalidSelector('spec.jobTemplate.spec.selector', jobSpec.selector ?? {}, '`selector` will be auto-generated'),
    ),
    ...validateNonNegative('spec.successfulJobsHistoryLimit', spec.successfulJobsHistoryLimit),
    ...validateNonNegative('spec.failedJobsHistoryLimit', spec.failedJobsHistoryLimit),
  ];
}

/** Follows kubernetes pkg/apis/batch/validation validateScheduleFormat, and robfig/cron parser.go Parse of a zone in front. */
function validateScheduleFormat(schedule: string): FieldErrors {
  const field = 'spec.schedule';
  const [, zone, rest = ''] = /^(?:CRON_)?TZ=([^ ]*) (.*)$/s.exec(schedule) ?? [];
  const unknown =
    zone === undefined || isLocation(zone) ? '' : `provided bad location ${zone}: unknown time zone ${zone}`;
  const error = unknown || parseScheduleError(zone === undefined ? schedule : rest.trim());
  const zoned = 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead';
  return [
    ...errorIf(error !== '', () => invalidValue(field, schedule, error)),
    ...errorIf(schedule.includes('TZ'), () => invalidValue(field, schedule, zoned)),
  ];
}

function parseScheduleError(schedule: string): string {
  const reading = parseCronSchedule(schedule);
  return reading.outcome === 'wrong' ? reading.error : '';
}

/** Follows go src/time/zoneinfo.go LoadLocation: the empty name is UTC. */
const isLocation = (zone: string): boolean => zone === '' || zone === 'Local' || isKnownZone(zone);

/** Follows kubernetes pkg/apis/batch/validation validateTimeZone. */
function validateTimeZone(zone: string, field: string): FieldErrors {
  if (zone === '') return [invalidValue(field, '', 'timeZone must be nil or non-empty string')];
  const unknown = invalidValue(field, zone, `unknown time zone ${zone}`);
  const isUnsupported = (part: string): boolean =>
    part === '.' || part === '..' || part.startsWith('-') || !/^[A-Za-z.\-_0-9+]{1,14}$/.test(part);
  if (zone.split('/').some(isUnsupported)) return [unknown];
  const isLocal = zone.toLowerCase() === 'local';
  const explicit = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
  if (isLocal) return [invalidValue(field, zone, explicit), ...(zone === 'Local' ? [] : [unknown])];
  return isKnownZone(zone) ? [] : [unknown];
}

function isKnownZone(zone: string): boolean {
  try {
    return /^[A-Za-z]/.test(zone) && new Intl.DateTimeFormat('en', { timeZone: zone }).format(0) !== '';
  } catch {
    return false;
  }
}
