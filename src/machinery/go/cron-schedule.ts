import { parseGoDuration } from './go-duration.ts';
import { atoi } from './strconv.ts';

// The file follows github.com/robfig/cron/v3 parser.go ParseStandard, without time zones.

export type CronSchedule =
  | { readonly type: 'every'; readonly nanoseconds: bigint }
  | {
      readonly type: 'fields';
      readonly minute: CronField;
      readonly hour: CronField;
      readonly day: CronField;
      readonly month: CronField;
      /** From Sunday, 0. */
      readonly weekday: CronField;
    };

export interface CronField {
  readonly values: ReadonlySet<number>;
  /** `*` or `?`: with one of them, the other of day and weekday decides alone. */
  readonly isStar: boolean;
}

export type CronReading =
  | { readonly outcome: 'read'; readonly schedule: CronSchedule }
  | { readonly outcome: 'wrong'; readonly error: string };

const descriptors: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);

const everyPrefix = '@every ';
const whitespace = /[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

/** Five fields, a descriptor such as `@daily`, or `@every 1h30m`; otherwise the parser's error. */
export function parseCronSchedule(text: string): CronReading {
  if (text === '') return invalidSchedule('empty spec string');
  if (text.startsWith(everyPrefix)) return parseEvery(text);
  const spec = text.startsWith('@') ? descriptors.get(text) : text;
  if (spec === undefined) return invalidSchedule(`unrecognized descriptor: ${text}`);
  const texts = spec.split(whitespace).filter((field) => field !== '');
  if (texts.length !== 5)
    return invalidSchedule(`expected exactly 5 fields, found ${texts.length}: [${texts.join(' ')}]`);
  const fields = bounds.map((bound, index) => parseField(texts[index] ?? '', bound));
  const fault = fields.find((field) => typeof field === 'string');
  if (fault !== undefined) return invalidSchedule(fault);
  const [minute = emptyField, hour = emptyField, day = emptyField, month = emptyField, weekday = emptyField] =
    fields.filter((field) => typeof field !== 'string');
  return { outcome: 'read', schedule: { type: 'fields', minute, hour, day, month, weekday } };
}

const invalidSchedule = (error: string): CronReading => ({ outcome: 'wrong', error });

function parseEvery(text: string): CronReading {
  const reading = parseGoDuration(text.slice(everyPrefix.length));
  if (reading.outcome === 'wrong') return invalidSchedule(`failed to parse duration ${text}: ${reading.error}`);
  return { outcome: 'read', schedule: { type: 'every', nanoseconds: reading.nanoseconds } };
}

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const bounds: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] },
  { min: 0, max: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];

const emptyField: CronField = { values: new Set(), isStar: false };

/** Ranges between commas, or the error of the first invalid one; empty ranges are skipped. */
function parseField(text: string, bound: Bounds): CronField | string {
  const ranges = text
    .split(',')
    .filter((range) => range !== '')
    .map((range) => parseRange(range, bound));
  const fault = ranges.find((range) => typeof range === 'string');
  if (fault !== undefined) return fault;
  const known = ranges.filter((range) => typeof range !== 'string');
  return {
    values: new Set(known.flatMap(({ values }) => [...values])),
    isStar: known.some(({ isStar }) => isStar),
  };
}

/** `*`, `5`, `1-5` or `mon-fri`, with an optional step. */
function parseRange(text: string, bound: Bounds): CronField | string {
  const [range = '', stepText, ...moreSteps] = text.split('/');
  const span = parseSpan(range, text, bound);
  if (typeof span === 'string') return span;
  if (moreSteps.length > 0) return `too many slashes: ${text}`;
  const step = stepText === undefined ? 1n : parseNumber(stepText);
  if (typeof step === 'string') return step;
  // A single number with a step is a range up to the end.
  const end = stepText !== undefined && !range.includes('-') ? BigInt(bound.max) : span.end;
  const fault = boundsError({ ...span, end }, text, bound);
  if (fault !== undefined) return fault;
  if (step === 0n) return `step of range should be a positive number: ${text}`;
  const values = new Set<number>();
  for (let value = span.start; value <= end; value += step) values.add(Number(value));
  return { values, isStar: span.isStar && step === 1n };
}

interface Span {
  readonly start: bigint;
  readonly end: bigint;
  readonly isStar: boolean;
}

function parseSpan(range: string, text: string, bound: Bounds): Span | string {
  const [low = '', high, ...more] = range.split('-');
  if (low === '*' || low === '?') return { start: BigInt(bound.min), end: BigInt(bound.max), isStar: true };
  const start = parseNumberOrName(low, bound);
  if (typeof start === 'string') return start;
  if (more.length > 0) return `too many hyphens: ${text}`;
  const end = high === undefined ? start : parseNumberOrName(high, bound);
  return typeof end === 'string' ? end : { start, end, isStar: false };
}

function boundsError({ start, end }: Span, text: string, { min, max }: Bounds): string | undefined {
  if (start < min) return `beginning of range (${start}) below minimum (${min}): ${text}`;
  if (end > max) return `end of range (${end}) above maximum (${max}): ${text}`;
  return start > end ? `beginning of range (${start}) beyond end of range (${end}): ${text}` : undefined;
}

function parseNumberOrName(text: string, { min, names = [] }: Bounds): bigint | string {
  const at = names.indexOf(text.toLowerCase());
  return at < 0 ? parseNumber(text) : BigInt(at + min);
}

function parseNumber(text: string): bigint | string {
  const reading = atoi(text);
  if (reading.outcome === 'unparsable') return `failed to parse int from ${text}: ${reading.error}`;
  return reading.value < 0n ? `negative number (${reading.value}) not allowed: ${text}` : reading.value;
}
