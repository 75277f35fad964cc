import { goQuote } from '../../apimachinery/field-error.ts';
import { isJsonObject, isList } from '../../apimachinery/json.ts';
import { TemplateFault } from './fault.ts';
import type { TemplateFunction } from './render.ts';
import type { Value } from './tree.ts';
import { numberOf, printed, textOf } from './value.ts';

const longest = 1024 * 1024;

/** Functions on texts that Sprig adds to Go's. Follows github.com/Masterminds/sprig strings.go. */
export const textFunctions: Readonly<Record<string, TemplateFunction>> = {
  toString: textOf,
  quote: (...values) =>
    present(values)
      .map((value) => goQuote(printed(value)))
      .join(' '),
  squote: (...values) =>
    present(values)
      .map((value) => `'${printed(value)}'`)
      .join(' '),
  upper: (text) => textOf(text).toUpperCase(),
  lower: (text) => textOf(text).toLowerCase(),
  trim: (text) => textOf(text).trim(),
  trimPrefix: (prefix, text) => withoutPrefix(textOf(text), textOf(prefix)),
  trimSuffix: (suffix, text) => withoutSuffix(textOf(text), textOf(suffix)),
  nospace: (text) => textOf(text).replaceAll(/\s/g, ''),
  replace: (old, fresh, text) => bounded(textOf(text).split(textOf(old)).join(textOf(fresh))),
  contains: (part, text) => textOf(text).includes(textOf(part)),
  hasPrefix: (prefix, text) => textOf(text).startsWith(textOf(prefix)),
  hasSuffix: (suffix, text) => textOf(text).endsWith(textOf(suffix)),
  repeat: (times, text) => {
    const count = Math.max(0, Math.trunc(numberOf(times)));
    if (count * textOf(text).length > longest) throw new TemplateFault('repeat makes more than 1 MiB of text');
    return textOf(text).repeat(count);
  },
  trunc: (length, text) => {
    const count = numberOf(length);
    return count < 0 ? textOf(text).slice(count) : textOf(text).slice(0, count);
  },
  substr: (from, to, text) => {
    const [start, end] = [numberOf(from), numberOf(to)];
    return textOf(text).slice(Math.max(0, start), end < 0 ? undefined : end);
  },
  indent: (spaces, text) => indented(spaces, text),
  nindent: (spaces, text) => `\n${indented(spaces, text)}`,
  join: (separator, list) => (isList(list) ? present(list).map(printed) : [textOf(list)]).join(textOf(separator)),
  splitList: (separator, text) => textOf(text).split(textOf(separator)),
  toJson: (value) =>
    JSON.stringify(value ?? null, (_, member: unknown) => (typeof member === 'bigint' ? Number(member) : member)),
  kindOf,
  b64enc: (text) => base64(new TextEncoder().encode(textOf(text))),
};

const present = (values: readonly Value[]): readonly Value[] =>
  values.filter((value) => value !== undefined && value !== null);

const withoutPrefix = (text: string, prefix: string): string =>
  text.startsWith(prefix) ? text.slice(prefix.length) : text;

const withoutSuffix = (text: string, suffix: string): string =>
  suffix !== '' && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text;

function indented(spaces: Value, text: Value): string {
  const width = numberOf(spaces);
  if (!(width >= 0 && width <= 1000)) throw new TemplateFault(`indent of ${width}`);
  return bounded(textOf(text).replace(/^/gm, ' '.repeat(width)));
}

function bounded(text: string): string {
  if (text.length > longest) throw new TemplateFault('it makes more than 1 MiB of text');
  return text;
}

function kindOf(value: Value): string {
  if (isList(value)) return 'slice';
  if (isJsonObject(value)) return 'map';
  if (value === undefined || value === null) return 'invalid';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  return Number.isInteger(numberOf(value)) ? 'int' : 'float64';
}

const base64 = (bytes: Uint8Array): string => btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(''));
