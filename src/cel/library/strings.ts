import { Cancelled, type CelOperation, costExceeded, maxMadeLength } from '../run/frame.ts';
import { allMatches, compileRegex, isMatch } from '../run/regex.ts';
import { codePointLength, codePointsBefore, unitOfCodePoint } from '../syntax/code-points.ts';
import { placeOf } from '../value/equality.ts';
import { CelError, type CelResult, type Value, isCelList, isInt, noSuchOverload } from '../value/value.ts';
import { smallInt } from './argument.ts';
import { formatString } from './format-string.ts';
import { quote } from './format-verbs.ts';

const matchesOperation: CelOperation = (text, pattern) => {
  if (typeof text !== 'string' || typeof pattern !== 'string') return noSuchOverload;
  const regex = compileRegex(pattern);
  return regex instanceof CelError ? regex : isMatch(regex, text);
};

const illegal = ({ message }: CelError): CelError => new CelError(`Illegal regex: ${message}`);

const find: CelOperation = (text, pattern) => {
  if (typeof text !== 'string' || typeof pattern !== 'string') return noSuchOverload;
  const regex = compileRegex(pattern);
  const matches = regex instanceof CelError ? illegal(regex) : allMatches(regex, text, 1);
  return matches instanceof CelError ? matches : (matches[0] ?? '');
};

const findAll: CelOperation = (text, pattern, count) => {
  const limit = count === null ? -1 : smallInt(count);
  if (typeof text !== 'string' || typeof pattern !== 'string' || limit === undefined) return noSuchOverload;
  const regex = compileRegex(pattern);
  return regex instanceof CelError ? illegal(regex) : allMatches(regex, text, limit < 0 ? Infinity : limit);
};

/** Regular expressions in RE2's syntax. Follows cel-go common/stdlib and apiserver pkg/cel/library/regex.go. */
export const regexOperations: readonly (readonly [string, CelOperation])[] = [
  ['matches', matchesOperation],
  ['find', find],
  ['findAll', findAll],
];

/** `indexOf` compares up to the length of the part at each place: it is linear for parts of at most this length. */
const maxPartLength = 64;

/** The first place of the part at `from` or after it, -1 for none; in linear time. `part` is not empty. */
const firstIndexOf = (text: string, part: string, from: number): number =>
  part.length <= maxPartLength
    ? text.indexOf(part, from)
    : knuthMorrisPratt(forwards(text, part), from, prefixesOf(part));

/** The last place of the part at `from` or before it, -1 for none; in linear time. */
function lastIndexBefore(text: string, part: string, from: number): number {
  const begin = Math.min(from, text.length - part.length);
  if (begin < 0) return -1;
  if (part.length <= maxPartLength) return text.lastIndexOf(part, begin);
  const units = backwards(text, part);
  const found = knuthMorrisPratt(units, text.length - part.length - begin, prefixLengths(units));
  return found < 0 ? -1 : text.length - part.length - found;
}

/** The text cut at its first `max` occurrences of the separator, in linear time; with '' between all characters. */
function cutText(text: string, separator: string, max: number): string[] {
  const pieces: string[] = [];
  const prefixes = separator.length > maxPartLength ? prefixesOf(separator) : undefined;
  const units = forwards(text, separator);
  let at = 0;
  while (pieces.length < max) {
    const found =
      separator === ''
        ? characterAfter(text, at)
        : prefixes
          ? knuthMorrisPratt(units, at, prefixes)
          : text.indexOf(separator, at);
    if (found < 0) break;
    pieces.push(text.slice(at, found));
    at = found + separator.length;
  }
  return [...pieces, text.slice(at)];
}

/** Where the next character begins; -1 after the last one. */
function characterAfter(text: string, at: number): number {
  const next = at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
  return next < text.length ? next : -1;
}

/** Two texts by their UTF-16 units, in one direction or the other. */
interface Units {
  readonly length: number;
  readonly partLength: number;
  readonly unit: (at: number) => number;
  readonly partUnit: (at: number) => number;
}

const forwards = (text: string, part: string): Units => ({
  length: text.length,
  partLength: part.length,
  unit: (at) => text.charCodeAt(at),
  partUnit: (at) => part.charCodeAt(at),
});

const backwards = (text: string, part: string): Units => ({
  length: text.length,
  partLength: part.length,
  unit: (at) => text.charCodeAt(text.length - 1 - at),
  partUnit: (at) => part.charCodeAt(part.length - 1 - at),
});

const prefixesOf = (part: string): Int32Array => prefixLengths(forwards('', part));

/** For each place of the part, how long the longest prefix is that ends there. */
function prefixLengths({ partLength, partUnit }: Units): Int32Array {
  const lengths = new Int32Array(partLength);
  let length = 0;
  for (let at = 1; at < partLength; at += 1) {
    while (length > 0 && partUnit(at) !== partUnit(length)) length = lengths[length - 1] ?? 0;
    if (partUnit(at) === partUnit(length)) length += 1;
    lengths[at] = length;
  }
  return lengths;
}

function knuthMorrisPratt({ length, partLength, unit, partUnit }: Units, from: number, prefixes: Int32Array): number {
  let matched = 0;
  for (let at = from; at < length; at += 1) {
    while (matched > 0 && unit(at) !== partUnit(matched)) matched = prefixes[matched - 1] ?? 0;
    if (unit(at) === partUnit(matched)) matched += 1;
    if (matched === partLength) return at + 1 - partLength;
  }
  return -1;
}

const outOfRange = (index: Value): CelError =>
  new CelError(`index out of range: ${isInt(index) ? index.toString() : ''}`);

const charAt: CelOperation = (text, at) => {
  const index = smallInt(at);
  if (typeof text !== 'string' || index === undefined) return noSuchOverload;
  if (index < 0 || index > text.length) return outOfRange(at);
  const unit = unitOfCodePoint(text, index);
  if (unit === text.length && index > codePointLength(text)) return outOfRange(at);
  const point = text.codePointAt(unit);
  return point === undefined ? '' : String.fromCodePoint(point);
};

/** Where `part` begins at or after `from`, in code points. */
function textIndexOf(text: string, part: string, from: number): CelResult {
  if (part === '') return from;
  if (from < 0) return outOfRange(from);
  if (from >= text.length) return -1;
  const begin = unitOfCodePoint(text, from);
  const found = begin < text.length ? firstIndexOf(text, part, begin) : -1;
  return found < 0 ? -1 : codePointsBefore(text, found);
}

const indexOf: CelOperation = (target, part, from) => {
  if (isCelList(target)) return placeOf(target, part);
  const start = from === null ? 0 : smallInt(from);
  if (typeof target !== 'string' || typeof part !== 'string' || start === undefined) return noSuchOverload;
  return textIndexOf(target, part, start);
};

const lastIndexOf: CelOperation = (target, part, from) => {
  if (isCelList(target)) return placeOf(target, part, true);
  if (typeof target !== 'string' || typeof part !== 'string') return noSuchOverload;
  const length = codePointLength(target);
  const start = from === null ? length : smallInt(from);
  if (start === undefined) return noSuchOverload;
  if (part === '') return from === null ? length : start;
  if (start < 0) return outOfRange(from);
  if (from !== null && start >= length) return -1;
  const found = lastIndexBefore(target, part, unitOfCodePoint(target, start));
  return found < 0 ? -1 : codePointsBefore(target, found);
};

/** Without a letter beyond ASCII all of it may be changed at once. */
const ascii =
  (pattern: RegExp, convert: (text: string) => string): CelOperation =>
  (text) =>
    typeof text === 'string'
      ? // oxlint-disable-next-line no-control-regex -- ASCII begins there
        /^[\u0000-\u007f]*$/.test(text)
        ? convert(text)
        : text.replace(pattern, convert)
      : noSuchOverload;

/** At most `count` replacements; all when it is negative. */
const replace: CelOperation = (text, old, made, count) => {
  const limit = count === null ? -1 : smallInt(count);
  if (typeof text !== 'string' || typeof old !== 'string' || typeof made !== 'string') return noSuchOverload;
  if (limit === undefined) return noSuchOverload;
  const max = limit < 0 ? Infinity : limit;
  return old === '' ? replaceEmpty(text, made, max) : replaced(text, old, made, max);
};

/** With `made` between the pieces; a replacement could make gigabytes, which its cost does not include. */
function replaced(text: string, old: string, made: string, max: number): string {
  const pieces = cutText(text, old, max);
  if (pieces.length * made.length > maxMadeLength) throw new Cancelled(costExceeded);
  return pieces.join(made);
}

/** Go puts the replacement before every character and at the end. */
function replaceEmpty(text: string, made: string, max: number): string {
  if (max === 0) return text;
  if (text === '') return made;
  const isAtEnd = text.length < max || codePointLength(text) < max;
  return `${made}${replaced(text, '', made, max - 1)}${isAtEnd ? made : ''}`;
}

const split: CelOperation = (text, separator, count) => {
  const limit = count === null ? -1 : smallInt(count);
  if (typeof text !== 'string' || typeof separator !== 'string' || limit === undefined) return noSuchOverload;
  if (limit === 0 || (text === '' && separator === '')) return [];
  const max = limit < 0 ? Infinity : limit - 1;
  return cutText(text, separator, max);
};

const join: CelOperation = (list, separator) => {
  if (!isCelList(list) || (separator !== null && typeof separator !== 'string')) return noSuchOverload;
  const between = separator ?? '';
  const texts = list.filter((element) => typeof element === 'string');
  return texts.length === list.length ? texts.join(between) : noSuchOverload;
};

const substring: CelOperation = (text, from, to) => {
  const start = smallInt(from);
  if (typeof text !== 'string' || start === undefined) return noSuchOverload;
  const length = codePointLength(text);
  const end = to === null ? length : smallInt(to);
  if (end === undefined) return noSuchOverload;
  if (to !== null && start > end) return new CelError(`invalid substring range. start: ${start}, end: ${end}`);
  if (start < 0 || start > length) return outOfRange(start);
  if (end < 0 || end > length) return outOfRange(end);
  return text.slice(unitOfCodePoint(text, start), unitOfCodePoint(text, end));
};

// Unicode's White_Space, which JavaScript's trim does not follow exactly.
const space = /[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;
const leadingSpace = new RegExp(`^${space.source}+`);

const trim: CelOperation = (text) => {
  if (typeof text !== 'string') return noSuchOverload;
  const rest = text.replace(leadingSpace, '');
  let end = rest.length;
  while (end > 0 && isSpace(rest.charCodeAt(end - 1))) end -= 1;
  return rest.slice(0, end);
};

const isSpace = (unit: number): boolean =>
  unit < 0x80 ? unit === 0x20 || (unit >= 0x09 && unit <= 0x0d) : space.test(String.fromCharCode(unit));

const format: CelOperation = (text, args) =>
  typeof text === 'string' && isCelList(args) ? formatString(text, args) : noSuchOverload;

const quoteText: CelOperation = (text: Value) => (typeof text === 'string' ? quote(text) : noSuchOverload);

/** The string functions. Follows cel-go ext/strings.go, version 2. */
export const stringOperations: readonly (readonly [string, CelOperation])[] = [
  ['charAt', charAt],
  ['indexOf', indexOf],
  ['lastIndexOf', lastIndexOf],
  ['lowerAscii', ascii(/[A-Z]+/g, (text) => text.toLowerCase())],
  ['upperAscii', ascii(/[a-z]+/g, (text) => text.toUpperCase())],
  ['replace', replace],
  ['split', split],
  ['join', join],
  ['substring', substring],
  ['trim', trim],
  ['format', format],
  ['strings.quote', quoteText],
];
