import { type CronField, parseCronSchedule } from '../../../machinery/go/cron-schedule.ts';

export interface Schedule {
  /** In milliseconds since 1970; undefined when there is none for years. */
  readonly next: (time: number) => number | undefined;
}

/** undefined for an invalid schedule or an unknown time zone. */
export function parseSchedule(text: string, timeZone: string): Schedule | undefined {
  const reading = parseCronSchedule(text);
  if (reading.outcome === 'wrong') return undefined;
  if (reading.schedule.type === 'every') return everySchedule(reading.schedule.nanoseconds);
  const { minute, hour, day, month, weekday } = reading.schedule;
  const isDay = (at: LocalTime): boolean => {
    const [isOfMonth, isOfWeek] = [day.values.has(at.day), weekday.values.has(at.weekday)];
    return day.isStar || weekday.isStar ? isOfMonth && isOfWeek : isOfMonth || isOfWeek;
  };
  const local = createLocalTime(timeZone);
  return local && { next: (time) => findNextTime(time, local, { minute, hour, month, isDay }) };
}

/** Whole seconds, at least one. Follows github.com/robfig/cron/v3 constantdelay.go. */
function everySchedule(nanoseconds: bigint): Schedule {
  const step = Math.max(1, Number(nanoseconds / 1_000_000_000n)) * 1000;
  return { next: (time) => Math.floor(time / 1000) * 1000 + step };
}

interface LocalTime {
  readonly month: number;
  readonly day: number;
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
}

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** The local time; undefined for an unknown time zone. */
function createLocalTime(timeZone: string): ((time: number) => LocalTime) | undefined {
  const format = createFormat(timeZone);
  if (!format) return undefined;
  return (time) => {
    const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]));
    const at = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type));
    const weekday = weekdays.indexOf((parts.get('weekday') ?? '').toLowerCase());
    return { month: at('month'), day: at('day'), weekday, hour: at('hour') % 24, minute: at('minute') };
  };
}

function createFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: timeZone === '' ? 'UTC' : timeZone,
      hourCycle: 'h23',
      weekday: 'short',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    });
  } catch {
    return undefined;
  }
}

export const isTimeZone = (timeZone: string): boolean => createFormat(timeZone) !== undefined;

interface ScheduleFields {
  readonly minute: CronField;
  readonly hour: CronField;
  readonly month: CronField;
  readonly isDay: (at: LocalTime) => boolean;
}

const minuteLength = 60_000;
const years = 5 * 366 * 24 * 60 * minuteLength;

/** Skips times that do not match, at most to the last hour of a day, so that clock changes are not missed. */
function findNextTime(after: number, local: (time: number) => LocalTime, desired: ScheduleFields): number | undefined {
  let time = (Math.floor(after / minuteLength) + 1) * minuteLength;
  while (time < after + years) {
    const at = local(time);
    if (!desired.month.values.has(at.month) && at.day < 27) time += (27 - at.day) * 24 * 60 * minuteLength;
    else if (!desired.month.values.has(at.month) || !desired.isDay(at)) {
      time += ((at.hour < 23 ? 23 - at.hour : 1) * 60 - at.minute) * minuteLength;
    } else if (!desired.hour.values.has(at.hour)) time += (60 - at.minute) * minuteLength;
    else if (!desired.minute.values.has(at.minute)) time += minuteLength;
    else return time;
  }
  return undefined;
}
