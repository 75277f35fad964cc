import { invalidValue } from '../../apimachinery/field-error.ts';
import type { Complaints } from './field-rules.ts';
import { when } from './field-rules.ts';

/** What a field of a schedule may say. */
interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const fields: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: months },
  { min: 0, max: 6, names: days },
];

/** Texts of the cron parser that upstream uses, github.com/robfig/cron/v3. Follows kubernetes pkg/apis/batch/validation validateScheduleFormat. */
export function scheduleErrors(schedule: string): Complaints {
  const field = 'spec.schedule';
  if (schedule.includes('TZ')) {
    return [invalidValue(field, schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead')];
  }
  if (schedule.startsWith('@')) {
    const known = /^@(yearly|annually|monthly|weekly|daily|midnight|hourly|every .+)$/.test(schedule);
    return when(!known, () => invalidValue(field, schedule, `unrecognized descriptor: ${schedule}`));
  }
  const found = schedule.trim().split(/\s+/);
  if (found.length !== fields.length) {
    const text = `expected exactly 5 fields, found ${found.length}: [${found.join(' ')}]`;
    return [invalidValue(field, schedule, text)];
  }
  const problem = fields.flatMap((bounds, index) => fieldProblems(found[index] ?? '', bounds))[0];
  return problem === undefined ? [] : [invalidValue(field, schedule, problem)];
}

const fieldProblems = (text: string, bounds: Bounds): readonly string[] =>
  text
    .split(',')
    .filter((part) => part !== '')
    .map((part) => rangeProblem(part, bounds))
    .filter((problem) => problem !== '');

/** `5`, `1-5`, `*` or any of them with a step. */
function rangeProblem(expression: string, bounds: Bounds): string {
  const [range = '', step, ...moreSteps] = expression.split('/');
  const span = readRange(range, expression, bounds);
  if (typeof span === 'string') return span;
  if (moreSteps.length > 0) return `too many slashes: ${expression}`;
  const width = step === undefined ? 1 : wholeNumber(step);
  if (typeof width === 'string') return width;
  const last = step !== undefined && !range.includes('-') ? bounds.max : span.last;
  return boundsProblem({ ...span, last }, expression, bounds) || zeroStep(width, expression);
}

const zeroStep = (width: number, expression: string): string =>
  width === 0 ? `step of range should be a positive number: ${expression}` : '';

interface Span {
  readonly first: number;
  readonly last: number;
}

function readRange(range: string, expression: string, bounds: Bounds): Span | string {
  const [low = '', high, ...more] = range.split('-');
  if (low === '*' || low === '?') return { first: bounds.min, last: bounds.max };
  const first = numberOrName(low, bounds);
  if (typeof first === 'string') return first;
  if (more.length > 0) return `too many hyphens: ${expression}`;
  const last = high === undefined ? first : numberOrName(high, bounds);
  return typeof last === 'string' ? last : { first, last };
}

function boundsProblem({ first, last }: Span, expression: string, { min, max }: Bounds): string {
  if (first < min) return `beginning of range (${first}) below minimum (${min}): ${expression}`;
  if (last > max) return `end of range (${last}) above maximum (${max}): ${expression}`;
  return first > last ? `beginning of range (${first}) beyond end of range (${last}): ${expression}` : '';
}

function numberOrName(text: string, { min, names = [] }: Bounds): number | string {
  const at = names.indexOf(text.toLowerCase());
  return at < 0 ? wholeNumber(text) : at + min;
}

/** The number, or what Go says of a text that is none. */
function wholeNumber(text: string): number | string {
  if (!/^[+-]?\d+$/.test(text)) {
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
  }
  const number = Number(text);
  return number < 0 ? `negative number (${number}) not allowed: ${text}` : number;
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
