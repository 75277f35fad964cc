import { trimRight } from '../../machinery/go/strings.ts';
import { parseGoDuration } from '../../machinery/go/go-duration.ts';
import { parseTime } from '../../machinery/meta/time.ts';
import { box, CelError, integerOverflow, type CelResult } from './value.ts';

export const secondInNanoseconds = 1_000_000_000n;
const minTimestamp = -62135596800n * secondInNanoseconds;
const maxTimestamp = 253402300800n * secondInNanoseconds - 1n;
const minDuration = -(2n ** 63n);
const maxDuration = 2n ** 63n - 1n;

const timestampOverflow = new CelError('timestamp overflow');

/** Years 1 to 9999. Follows cel-go common/types/timestamp.go. */
export const createTimestamp = (nanoseconds: bigint): CelResult =>
  nanoseconds < minTimestamp || nanoseconds > maxTimestamp ? timestampOverflow : box('timestamp', nanoseconds);

/** 290 years either way: a duration is an int of nanoseconds. Follows cel-go common/types/overflow.go. */
export const createDuration = (nanoseconds: bigint): CelResult =>
  nanoseconds < minDuration || nanoseconds > maxDuration ? integerOverflow : box('duration', nanoseconds);

/** Nanoseconds since 1970 of an RFC 3339 text; undefined for an invalid one. */
export function readTimestamp(text: string): bigint | undefined {
  const reading = parseTime(text);
  if (reading.outcome !== 'parsed') return undefined;
  return BigInt(reading.moment.seconds) * secondInNanoseconds + BigInt(reading.moment.nanos);
}

/** Nanoseconds of `1h30m`, `-1.5s`; undefined for an invalid one or one beyond 64 bits. */
export function readDuration(text: string): bigint | undefined {
  const reading = parseGoDuration(text);
  return reading.outcome === 'read' ? reading.nanoseconds : undefined;
}

/** `2024-01-01T00:00:00.5Z`. */
export function timestampText(nanoseconds: bigint): string {
  const { year, month, day, hour, minute, seconds, nanos } = toTimeFields(nanoseconds);
  const fraction = nanos === 0 ? '' : `.${trimRight(pad(nanos, 9), '0')}`;
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}T${pad(hour, 2)}:${pad(minute, 2)}:${pad(seconds, 2)}${fraction}Z`;
}

const pad = (value: number, width: number): string => String(value).padStart(width, '0');

/** `5400s`, `1.5s`. */
export function goDurationText(nanoseconds: bigint): string {
  const negative = nanoseconds < 0n;
  const size = negative ? -nanoseconds : nanoseconds;
  const fraction =
    size % secondInNanoseconds === 0n ? '' : `.${trimRight(String(size % secondInNanoseconds).padStart(9, '0'), '0')}`;
  return `${negative ? '-' : ''}${size / secondInNanoseconds}${fraction}s`;
}

export interface TimeFields {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  /** From 1. */
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly seconds: number;
  readonly nanos: number;
  /** From 0, Sunday. */
  readonly weekday: number;
  /** From 0. */
  readonly yearDay: number;
}

const daysBefore1970 = 719468;

/** The calendar fields in UTC, by the proleptic Gregorian calendar. */
export function toTimeFields(nanoseconds: bigint): TimeFields {
  const total = Number(unixSeconds(nanoseconds));
  const days = Math.floor(total / 86400);
  const rest = total - days * 86400;
  const { year, month, day } = toDate(days);
  return {
    year,
    month,
    day,
    hour: Math.floor(rest / 3600),
    minute: Math.floor((rest % 3600) / 60),
    seconds: rest % 60,
    nanos: Number(modulo(nanoseconds, secondInNanoseconds)),
    weekday: (((days + 4) % 7) + 7) % 7,
    yearDay: days - daysSinceEpoch(year, 1, 1),
  };
}

/** Whole seconds since 1970, rounded down. */
export const unixSeconds = (nanoseconds: bigint): bigint =>
  (nanoseconds - modulo(nanoseconds, secondInNanoseconds)) / secondInNanoseconds;

const modulo = (value: bigint, by: bigint): bigint => ((value % by) + by) % by;

/** The date of a day counted from 1970, with years that begin in March. */
function toDate(daysSince1970: number): { readonly year: number; readonly month: number; readonly day: number } {
  const shifted = daysSince1970 + daysBefore1970;
  const era = Math.floor(shifted / 146097);
  const dayOfEra = shifted - era * 146097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36524) - Math.floor(dayOfEra / 146096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const index = Math.floor((5 * dayOfYear + 2) / 153);
  const month = index < 10 ? index + 3 : index - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * index + 2) / 5) + 1,
  };
}

/** The day counted from 1970 of a date. */
export function daysSinceEpoch(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146097 + dayOfEra - daysBefore1970;
}

const hour = 3600n * secondInNanoseconds;

/** The last name of a unit is a prefix: `seconds`, `minutes`. */
const units: readonly (readonly [names: readonly string[], nanoseconds: bigint])[] = [
  [['ns', 'nano'], 1n],
  [['us', 'µs', 'micro'], 1_000n],
  [['ms', 'milli'], 1_000_000n],
  [['s', 'sec'], secondInNanoseconds],
  [['m', 'min'], 60n * secondInNanoseconds],
  [['h', 'hr', 'hour'], hour],
  [['d', 'day'], 24n * hour],
  [['w', 'wk', 'week'], 7n * 24n * hour],
];

/** Of more digits 64 bits have no room. */
const maxDigits = 19;

/**
 * Nanoseconds of the format `duration`: Go's durations, and any text with `3 days` or `1 week` in it. Ignores unknown
 * units, but not a number beyond 64 bits. Follows kube-openapi pkg/validation/strfmt/duration.go.
 */
export function readStrfmtDuration(text: string): bigint | undefined {
  const plain = readDuration(text);
  if (plain !== undefined) return plain;
  let total: bigint | undefined;
  // A number without a unit is a match too, so that the digits in it are not tried again.
  for (const [, digits = '', name = ''] of text.matchAll(/(\d+)[\t\n\f\r ]*([A-Za-zµ]*)/g)) {
    if (name === '') continue;
    const amount = parseAmount(digits);
    if (amount === undefined) return undefined;
    const size = unitNanoseconds(name.toLowerCase());
    if (size !== undefined) total = BigInt.asIntN(64, (total ?? 0n) + amount * size);
  }
  return total;
}

function parseAmount(digits: string): bigint | undefined {
  const significant = digits.replace(/^0+/, '');
  const amount = significant.length > maxDigits ? undefined : BigInt(significant);
  return amount === undefined || amount >= 2n ** 63n ? undefined : amount;
}

const unitNanoseconds = (name: string): bigint | undefined =>
  units.find(([names]) => names.includes(name) || name.startsWith(names.at(-1) ?? name))?.[1];
