import type { CelOperation } from '../run/frame.ts';
import { daysSinceEpoch, secondInNanoseconds, toTimeFields, type TimeFields, unixSeconds } from '../value/time.ts';
import { CelError, int, isBox, noSuchOverload, type Value } from '../value/value.ts';
import { type FunctionRow, unitCost } from './cel-function.ts';

/** `getHours()` and its like. Follows cel-go common/types/timestamp.go and duration.go. */
const timeField =
  (ofTimestamp: (fields: TimeFields) => number, durationUnit?: bigint): CelOperation =>
  (value, zone) => {
    if (isBox(value, 'duration')) return durationUnit === undefined ? noSuchOverload : int(value.value / durationUnit);
    if (!isBox(value, 'timestamp')) return noSuchOverload;
    const offset = zone === null ? 0n : zoneOffset(value.value, zone);
    return typeof offset === 'bigint' ? ofTimestamp(toTimeFields(value.value + offset)) : offset;
  };

/** The offset in nanoseconds of `+02:30` or of a named zone at a moment. */
function zoneOffset(moment: bigint, zone: Value): bigint | CelError {
  if (typeof zone !== 'string') return noSuchOverload;
  const numeric = /^([-+]?)(\d{1,2}):(\d{2})$/.exec(zone);
  if (numeric !== null) {
    const [, sign, hours = '0', minutes = '0'] = numeric;
    const offset = BigInt(hours) * 3600n + BigInt(minutes) * 60n;
    return (sign === '-' ? -offset : offset) * secondInNanoseconds;
  }
  return zone === '' || zone === 'UTC' ? 0n : namedZoneOffset(moment, zone);
}

const formats = new Map<string, Intl.DateTimeFormat | CelError>();

/** No zone has a longer name, and looking one up takes long. */
const maxZoneLength = 100;

function zoneFormat(zone: string): Intl.DateTimeFormat | CelError {
  if (zone.length > maxZoneLength) return unknownZone(zone);
  const cached = formats.get(zone);
  if (cached !== undefined) return cached;
  const format = createFormat(zone);
  if (formats.size < 1000) formats.set(zone, format);
  return format;
}

const unknownZone = (zone: string): CelError => new CelError(`unknown time zone ${zone}`);

function createFormat(zone: string): Intl.DateTimeFormat | CelError {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: zone === 'Local' ? 'UTC' : zone,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return unknownZone(zone);
  }
}

function namedZoneOffset(moment: bigint, zone: string): bigint | CelError {
  const format = zoneFormat(zone);
  if (format instanceof CelError) return format;
  const seconds = Number(unixSeconds(moment));
  const parts = new Map(format.formatToParts(seconds * 1000).map(({ type, value }) => [type, value]));
  const part = (name: Intl.DateTimeFormatPartTypes): number => Number(parts.get(name) ?? 0);
  const year = parts.get('era') === 'BC' ? 1 - part('year') : part('year');
  const days = daysSinceEpoch(year, part('month'), part('day'));
  const local = days * 86400 + part('hour') * 3600 + part('minute') * 60 + part('second');
  return BigInt(local - seconds) * secondInNanoseconds;
}

export const timeFunctions: readonly FunctionRow[] = [
  ['getFullYear', timeField(({ year }) => year), unitCost],
  ['getMonth', timeField(({ month }) => month - 1), unitCost],
  ['getDayOfYear', timeField(({ yearDay }) => yearDay), unitCost],
  ['getDayOfMonth', timeField(({ day }) => day - 1), unitCost],
  ['getDate', timeField(({ day }) => day), unitCost],
  ['getDayOfWeek', timeField(({ weekday }) => weekday), unitCost],
  ['getHours', timeField(({ hour }) => hour, 3600n * secondInNanoseconds), unitCost],
  ['getMinutes', timeField(({ minute }) => minute, 60n * secondInNanoseconds), unitCost],
  ['getSeconds', timeField(({ seconds }) => seconds, secondInNanoseconds), unitCost],
  ['getMilliseconds', timeField(({ nanos }) => Math.floor(nanos / 1_000_000), 1_000_000n), unitCost],
];
