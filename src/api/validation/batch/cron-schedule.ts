import { parseCronSchedule } from '../../../machinery/go/cron-schedule.ts';
import { invalidValue } from '../../../machinery/meta/field-error.ts';
import type { Complaints } from '../field-rules.ts';

/** Follows kubernetes pkg/apis/batch/validation validateScheduleFormat. */
export function scheduleErrors(schedule: string): Complaints {
  const field = 'spec.schedule';
  if (schedule.includes('TZ')) {
    return [invalidValue(field, schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead')];
  }
  const reading = parseCronSchedule(schedule);
  return reading.outcome === 'wrong' ? [invalidValue(field, schedule, reading.error)] : [];
}

/** Follows kubernetes pkg/apis/batch/validation validateTimeZone. */
export function timeZoneErrors(zone: string, field: string): Complaints {
  if (zone === '') return [invalidValue(field, '', 'timeZone must be nil or non-empty string')];
  const unknown = invalidValue(field, zone, `unknown time zone ${zone}`);
  const isStrange = (part: string): boolean =>
    part === '.' || part === '..' || part.startsWith('-') || !/^[A-Za-z.\-_0-9+]{1,14}$/.test(part);
  if (zone.split('/').some(isStrange)) return [unknown];
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
