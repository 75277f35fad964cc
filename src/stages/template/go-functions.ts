import { goQuote } from '../../apimachinery/field-error.ts';
import { isJsonObject, isList } from '../../apimachinery/json.ts';
import { sameJson } from '../../apimachinery/json-equal.ts';
import { TemplateFault } from './fault.ts';
import type { TemplateFunction } from './render.ts';
import type { Value } from './tree.ts';
import { isTrue, numberOf, printed, textOf } from './value.ts';

/** What every template of Go knows; `and` and `or` are the renderer's. Follows go src/text/template/funcs.go. */
export const goFunctions: Readonly<Record<string, TemplateFunction>> = {
  not: (value) => !isTrue(value),
  eq: (first, ...others) => {
    if (others.length === 0) throw new TemplateFault('missing argument for comparison');
    return others.some((other) => isSame(first, other));
  },
  ne: (a, b) => !isSame(a, b),
  lt: (a, b) => compare(a, b) < 0,
  le: (a, b) => compare(a, b) <= 0,
  gt: (a, b) => compare(a, b) > 0,
  ge: (a, b) => compare(a, b) >= 0,
  len: lengthOf,
  index: (value, ...keys) => keys.reduce(member, value),
  slice: (value, from, to) => {
    if (typeof value !== 'string' && !isList(value))
      throw new TemplateFault(`slice of ${printed(value).slice(0, 100)}`);
    return value.slice(numberOf(from), to === undefined ? undefined : numberOf(to));
  },
  print: (...values) => values.map(printed).join(' '),
  println: (...values) => `${values.map(printed).join(' ')}\n`,
  printf: (format, ...values) => formatted(textOf(format), values),
};

const isSame = (a: Value, b: Value): boolean => sameJson(a ?? null, b ?? null);

function compare(a: Value, b: Value): number {
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : Number(a > b);
  const isNumber = (value: Value): boolean => typeof value === 'number' || typeof value === 'bigint';
  if (!isNumber(a) || !isNumber(b)) throw new TemplateFault('incompatible types for comparison');
  return numberOf(a) - numberOf(b);
}

function lengthOf(value: Value): number {
  if (typeof value === 'string') return new TextEncoder().encode(value).length;
  if (isList(value)) return value.length;
  if (isJsonObject(value)) return Object.keys(value).length;
  throw new TemplateFault(`len of ${printed(value).slice(0, 100)}`);
}

function member(value: Value, key: Value): Value {
  if (isJsonObject(value)) return Object.hasOwn(value, textOf(key)) ? value[textOf(key)] : undefined;
  if (!isList(value)) throw new TemplateFault('index of untyped nil');
  const at = numberOf(key);
  if (!(at >= 0 && at < value.length)) throw new TemplateFault(`error calling index: index out of range: ${at}`);
  return value[at];
}

const mostWidth = 1000;

/** The verbs %s %v %d %q %t %x %f %g and %%, with flags, width and precision. Throws TemplateFault for others. */
function formatted(format: string, values: readonly Value[]): string {
  let next = 0;
  return format.replace(/%([-+0 #]*)(\d*)(?:\.(\d+))?([a-zA-Z%])/g, (whole) => {
    const [, flags = '', digits = '', precision, verb = ''] = /^%([-+0 #]*)(\d*)(?:\.(\d+))?(.)$/.exec(whole) ?? [];
    if (verb === '%') return '%';
    const width = Number(digits);
    if (width > mostWidth || Number(precision ?? 0) > 100) throw new TemplateFault(`printf: ${whole} is too wide`);
    const text = withVerb(verb, values[next++], precision);
    if (flags.includes('-')) return text.padEnd(width);
    return text.padStart(width, flags.includes('0') ? '0' : ' ');
  });
}

function withVerb(verb: string, value: Value, precision: string | undefined): string {
  switch (verb) {
    case 's':
    case 'v':
    case 't':
      return printed(value);
    case 'd':
      return String(Math.trunc(numberOf(value)));
    case 'q':
      return goQuote(textOf(value));
    case 'x':
      return numberOf(value).toString(16);
    case 'f':
      return numberOf(value).toFixed(Number(precision ?? 6));
    case 'g':
      return String(numberOf(value));
    default:
      throw new TemplateFault(`printf: %${verb} is not supported`);
  }
}
