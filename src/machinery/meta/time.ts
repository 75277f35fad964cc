import { goQuote } from './field-error.ts';

/** A moment: whole seconds since 1970 and nanoseconds beyond. */
export interface Moment {
  readonly seconds: number;
  readonly nanos: number;
}

export type TimeReading =
  | { readonly outcome: 'parsed'; readonly moment: Moment }
  /** Go's text: `parsing time "nope" as "2006-01-02T15:04:05Z07:00": cannot parse "nope" as "2006"`. */
  | { readonly outcome: 'malformed'; readonly error: string };

/** A metav1.Time: RFC 3339, fractions allowed. Follows go src/time/format.go. */
export const parseTime = (text: string): TimeReading => parse(text, '2006-01-02T15:04:05Z07:00', false);

/** A metav1.MicroTime: RFC 3339 with exactly six decimals. Follows apimachinery pkg/apis/meta/v1/micro_time.go. */
export const parseMicroTime = (text: string): TimeReading => parse(text, '2006-01-02T15:04:05.000000Z07:00', true);

/** `2026-01-02T03:04:05Z`: the form of a metav1.Time, from milliseconds since 1970. */
export const formatTime = (milliseconds: number): string => momentText(toMoment(milliseconds));

/** `2026-01-02T03:04:05.000000Z`: the form of a metav1.MicroTime, from milliseconds since 1970. */
export const formatMicroTime = (milliseconds: number): string => microMomentText(toMoment(milliseconds));

export function momentText({ seconds }: Moment): string {
  if (lastFormatted.seconds !== seconds) lastFormatted = { seconds, text: `${dateText(seconds)}Z` };
  return lastFormatted.text;
}

/** Writes of the same second share one text: each write formats the time, and the object keeps it. */
let lastFormatted = { seconds: Number.NaN, text: '' };

export const microMomentText = ({ seconds, nanos }: Moment): string =>
  `${dateText(seconds)}.${pad(Math.floor(nanos / 1000), 6)}Z`;

/** Go's zero time, the first moment of year 1; it prints as null. */
export const isZeroMoment = ({ seconds, nanos }: Moment): boolean => seconds === -62135596800 && nanos === 0;

function toMoment(milliseconds: number): Moment {
  const seconds = Math.floor(milliseconds / 1000);
  return { seconds, nanos: Math.floor((milliseconds - seconds * 1000) * 1e6) };
}

const secondsPerDay = 86400;

function dateText(seconds: number): string {
  const date = new Date(seconds * 1000);
  const day = `${pad(date.getUTCFullYear(), 4)}-${pad(date.getUTCMonth() + 1, 2)}-${pad(date.getUTCDate(), 2)}`;
  return `${day}T${pad(date.getUTCHours(), 2)}:${pad(date.getUTCMinutes(), 2)}:${pad(date.getUTCSeconds(), 2)}`;
}

const pad = (value: number, width: number): string => String(value).padStart(width, '0');

/** One element of the layout: what it is called there, what it accepts and how far it may go. */
interface Element {
  readonly layout: string;
  readonly pattern: RegExp;
  readonly min: number;
  readonly max: number;
  /** Go's name when it is out of range. */
  readonly range: string;
}

const element = (
  layout: string,
  pattern: RegExp,
  range = '',
  bounds: readonly [number, number] = [0, 9999],
): Element => ({
  layout,
  pattern,
  min: bounds[0],
  max: bounds[1],
  range,
});

/** The date and time, literals between; each consumes the front of what is left. */
const elements: readonly Element[] = [
  element('2006', /^\d{4}/),
  element('-', /^-/),
  element('01', /^\d\d/, 'month', [1, 12]),
  element('-', /^-/),
  element('02', /^\d\d/, '', [0, 99]),
  element('T', /^T/),
  element('15', /^\d\d?/, 'hour', [0, 23]),
  element(':', /^:/),
  element('04', /^\d\d/, 'minute', [0, 59]),
  element(':', /^:/),
  element('05', /^\d\d/, 'second', [0, 59]),
];

function parse(text: string, layout: string, micro: boolean): TimeReading {
  const date = readElements(text);
  if ('range' in date) return malformed(text, `${date.range} out of range`);
  const fraction = (micro ? /^[.,]\d{6}/ : /^[.,]\d+/).exec(date.rest)?.[0] ?? '';
  const fault = date.missing ?? (micro && fraction === '' ? '.000000' : undefined);
  if (fault !== undefined) return cannotParse(text, layout, date.rest, fault);
  const zone = readZone(date.rest.slice(fraction.length));
  if (zone.fault === 'unreadable') return cannotParse(text, layout, zone.rest, 'Z07:00');
  const seconds = toSeconds(date.numbers);
  if (zone.fault !== undefined) return malformed(text, zone.fault);
  if (seconds === undefined) return malformed(text, 'day out of range');
  const nanos = Number(fraction.slice(1, 10).padEnd(9, '0'));
  return { outcome: 'parsed', moment: { seconds: seconds - zone.offset, nanos } };
}

const cannotParse = (text: string, layout: string, rest: string, as: string): TimeReading => ({
  outcome: 'malformed',
  error: `parsing time ${goQuote(text)} as ${goQuote(layout)}: cannot parse ${goQuote(rest)} as ${goQuote(as)}`,
});

const malformed = (text: string, message: string): TimeReading => ({
  outcome: 'malformed',
  error: `parsing time ${goQuote(text)}: ${message}`,
});

/** The numbers of date and time and what is left of the text; or what is missing, or out of range. */
type DateReading =
  | { readonly numbers: readonly number[]; readonly rest: string; readonly missing?: string }
  | { readonly range: string };

function readElements(text: string): DateReading {
  const numbers: number[] = [];
  let rest = text;
  for (const { layout, pattern, min, max, range } of elements) {
    const found = pattern.exec(rest)?.[0];
    if (found === undefined) return { numbers, rest, missing: layout };
    rest = rest.slice(found.length);
    if (!/\d/.test(found)) continue;
    if (Number(found) < min || Number(found) > max) return { range };
    numbers.push(Number(found));
  }
  return { numbers, rest };
}

/** Seconds since 1970, as if in UTC; undefined when the month has no such day. */
function toSeconds([year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0]: readonly number[]):
  | number
  | undefined {
  if (day < 1 || day > daysIn(year, month)) return undefined;
  return daysSince1970(year, month, day) * secondsPerDay + hour * 3600 + minute * 60 + second;
}

interface Zone {
  readonly rest: string;
  /** Seconds east of Greenwich. */
  readonly offset: number;
  readonly fault?: string;
}

function readZone(text: string): Zone {
  if (text.startsWith('Z')) return endZone(text.slice(1), 0);
  const found = /^([+-])(\d\d):(\d\d)/.exec(text);
  if (found === null) return { rest: text, offset: 0, fault: 'unreadable' };
  const [all, sign, hours, minutes] = found;
  const rest = text.slice(all.length);
  // Go accepts one more of each, since some write an offset of 24 hours.
  if (Number(hours) > 24) return { rest, offset: 0, fault: 'time zone offset hour out of range' };
  if (Number(minutes) > 60) return { rest, offset: 0, fault: 'time zone offset minute out of range' };
  const offset = Number(hours) * 3600 + Number(minutes) * 60;
  return endZone(rest, sign === '-' ? -offset : offset);
}

const endZone = (rest: string, offset: number): Zone =>
  rest === '' ? { rest, offset } : { rest, offset, fault: `extra text: ${goQuote(rest)}` };

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

function daysIn(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function daysSince1970(year: number, month: number, day: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day); // Date.UTC takes the years 0 to 99 for those of the last century.
  return Math.floor(date.getTime() / 1000 / secondsPerDay);
}
