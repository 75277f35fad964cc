/** When a schedule comes round. */
export interface Schedule {
  /** The first time after `time`, both in milliseconds since 1970; undefined when there is none for years. */
  readonly next: (time: number) => number | undefined;
}

const descriptors: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

const months = ['', 'jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** A schedule of five fields, or one that has a name, in this time zone; undefined for none. Follows robfig/cron parser.go. */
export function parseSchedule(text: string, timeZone: string): Schedule | undefined {
  const every = /^@every (.+)$/.exec(text)?.[1];
  if (every !== undefined) return everySchedule(every);
  const fields = (descriptors[text] ?? text).trim().split(/\s+/);
  const [minute, hour, day, month, weekday] = [
    parseField(fields[0], { from: 0, to: 59 }),
    parseField(fields[1], { from: 0, to: 23 }),
    parseField(fields[2], { from: 1, to: 31 }),
    parseField(fields[3], { from: 1, to: 12, names: months }),
    parseField(fields[4], { from: 0, to: 6, names: days }),
  ];
  if (fields.length !== 5 || !minute || !hour || !day || !month || !weekday) return undefined;
  const isDay = (at: LocalTime): boolean =>
    day.isStar || weekday.isStar
      ? day.has(at.day) && weekday.has(at.weekday)
      : day.has(at.day) || weekday.has(at.weekday);
  const local = localTimes(timeZone);
  return local && { next: (time) => search(time, local, { minute, hour, month, isDay }) };
}

const units: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

function everySchedule(text: string): Schedule | undefined {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(h|m|s|ms)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text) return undefined;
  const length = parts.reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (units[unit] ?? 0), 0);
  const step = Math.max(1000, Math.floor(length / 1000) * 1000);
  return { next: (time) => Math.floor(time / 1000) * 1000 + step };
}

interface Field {
  readonly has: (value: number) => boolean;
  readonly isStar: boolean;
}

interface Bounds {
  readonly from: number;
  readonly to: number;
  readonly names?: readonly string[];
}

/** `*`, `5`, `1-5`, every tenth, `mon-fri`, and lists of them. */
function parseField(text: string | undefined, bounds: Bounds): Field | undefined {
  const parts = (text ?? '').split(',').map((part) => parsePart(part, bounds));
  const known = parts.filter((part) => part !== undefined);
  if (known.length < parts.length) return undefined;
  return { has: (value) => known.some((part) => part.has(value)), isStar: known.some(({ isStar }) => isStar) };
}

function parsePart(text: string, { from, to, names = [] }: Bounds): Field | undefined {
  const [, range = '', stepText] = /^([^/]+)(?:\/(\d+))?$/.exec(text) ?? [];
  const step = Number(stepText ?? 1);
  const isStar = range === '*' || range === '?';
  const [first = '', last, ...more] = isStar ? [String(from), String(to)] : range.split('-');
  const start = valueOf(first, names);
  const end = last === undefined ? (stepText === undefined ? start : to) : valueOf(last, names);
  const isValid = [start >= from, end <= to, start <= end, step > 0, more.length === 0].every(Boolean);
  if (!isValid) return undefined;
  return {
    has: (value) => value >= start && value <= end && (value - start) % step === 0,
    isStar: isStar && step === 1,
  };
}

function valueOf(word: string, names: readonly string[]): number {
  const named = word === '' ? -1 : names.indexOf(word.toLowerCase());
  if (named >= 0) return named;
  return /^\d{1,9}$/.test(word) ? Number(word) : NaN;
}

interface LocalTime {
  readonly month: number;
  readonly day: number;
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
}

/** What clocks show there; undefined for a time zone that nobody knows. */
function localTimes(timeZone: string): ((time: number) => LocalTime) | undefined {
  const format = knownFormat(timeZone);
  if (!format) return undefined;
  return (time) => {
    const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]));
    const at = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type));
    const weekday = days.indexOf((parts.get('weekday') ?? '').toLowerCase());
    return { month: at('month'), day: at('day'), weekday, hour: at('hour') % 24, minute: at('minute') };
  };
}

function knownFormat(timeZone: string): Intl.DateTimeFormat | undefined {
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

export const isTimeZone = (timeZone: string): boolean => knownFormat(timeZone) !== undefined;

interface Wanted {
  readonly minute: Field;
  readonly hour: Field;
  readonly month: Field;
  readonly isDay: (at: LocalTime) => boolean;
}

const minuteLength = 60_000;
const years = 5 * 366 * 24 * 60 * minuteLength;

/** Steps over what does not fit, never over the change of a clock: at most to the last hour of a day, and from there on. */
function search(after: number, local: (time: number) => LocalTime, wanted: Wanted): number | undefined {
  let time = (Math.floor(after / minuteLength) + 1) * minuteLength;
  while (time < after + years) {
    const at = local(time);
    if (!wanted.month.has(at.month) && at.day < 27) time += (27 - at.day) * 24 * 60 * minuteLength;
    else if (!wanted.month.has(at.month) || !wanted.isDay(at)) {
      time += ((at.hour < 23 ? 23 - at.hour : 1) * 60 - at.minute) * minuteLength;
    } else if (!wanted.hour.has(at.hour)) time += (60 - at.minute) * minuteLength;
    else if (!wanted.minute.has(at.minute)) time += minuteLength;
    else return time;
  }
  return undefined;
}
