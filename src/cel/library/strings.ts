import { codePointLength, codePoints } from '../syntax/code-points.ts';
import { Cancelled, costExceeded } from '../run/frame.ts';
import type { Operation } from '../run/operation.ts';
import { CelError, isInt, isList, noSuchOverload } from '../value/value.ts';
import type { Result, Value } from '../value/value.ts';
import { smallInt } from './argument.ts';
import { formatString } from './format-string.ts';
import { quote } from './quote.ts';
import { indexOfElement, lastIndexOfElement } from './lists.ts';

const outOfRange = (index: Value): CelError =>
  new CelError(`index out of range: ${isInt(index) ? index.toString() : ''}`);

const charAt: Operation = (text, at) => {
  const index = smallInt(at);
  if (typeof text !== 'string' || index === undefined) return noSuchOverload;
  const chars = codePoints(text);
  if (index < 0 || index > chars.length) return outOfRange(at);
  return chars[index] ?? '';
};

/** Where `part` begins at or after `from`, in code points. */
function textIndexOf(text: string, part: string, from: number): Result {
  if (part === '') return from;
  const chars = codePoints(text);
  if (from < 0) return outOfRange(from);
  if (from >= chars.length) return -1;
  const before = chars.slice(0, from).join('');
  const found = text.indexOf(part, before.length);
  return found < 0 ? -1 : codePointLength(text.slice(0, found));
}

const indexOf: Operation = (target, part, from) => {
  if (isList(target)) return indexOfElement(target, part);
  const start = from === null ? 0 : smallInt(from);
  if (typeof target !== 'string' || typeof part !== 'string' || start === undefined) return noSuchOverload;
  return textIndexOf(target, part, start);
};

const lastIndexOf: Operation = (target, part, from) => {
  if (isList(target)) return lastIndexOfElement(target, part);
  if (typeof target !== 'string' || typeof part !== 'string') return noSuchOverload;
  const length = codePointLength(target);
  const start = from === null ? length : smallInt(from);
  if (start === undefined) return noSuchOverload;
  if (part === '') return from === null ? length : start;
  if (start < 0) return outOfRange(from);
  if (from !== null && start >= length) return -1;
  const end = codePoints(target).slice(0, start).join('').length;
  const found = target.lastIndexOf(part, end);
  return found < 0 ? -1 : codePointLength(target.slice(0, found));
};

const ascii =
  (pattern: RegExp, convert: (text: string) => string): Operation =>
  (text) =>
    typeof text === 'string' ? text.replace(pattern, convert) : noSuchOverload;

/** More than any request is: a replacement could make gigabytes, which its cost does not tell. */
const longestMade = 16 * 1024 * 1024;

/** At most `count` replacements; all when it is negative. */
const replace: Operation = (text, old, made, count) => {
  const limit = count === null ? -1 : smallInt(count);
  if (typeof text !== 'string' || typeof old !== 'string' || typeof made !== 'string') return noSuchOverload;
  if (limit === undefined) return noSuchOverload;
  const most = limit < 0 ? Infinity : limit;
  return old === '' ? replaceEmpty(text, made, most) : replaceText(text.split(old), [old, made], most);
};

function replaceText(pieces: readonly string[], [old, made]: readonly [string, string], most: number): string {
  if (most >= pieces.length - 1) return joinedWithin(pieces, made);
  const kept = pieces.slice(0, most + 1);
  return joinedWithin([...kept.slice(0, -1), [kept.at(-1), ...pieces.slice(most + 1)].join(old)], made);
}

function joinedWithin(pieces: readonly string[], made: string): string {
  if (pieces.length * made.length > longestMade) throw new Cancelled(costExceeded);
  return pieces.join(made);
}

/** Go puts the replacement before every character and at the end. */
function replaceEmpty(text: string, made: string, limit: number): string {
  const chars = codePoints(text);
  if (Math.min(chars.length, limit) * made.length > longestMade) throw new Cancelled(costExceeded);
  const parts = chars.map((char, index) => (index < limit ? made : '') + char);
  return parts.join('') + (chars.length < limit ? made : '');
}

const split: Operation = (text, separator, count) => {
  const limit = count === null ? -1 : smallInt(count);
  if (typeof text !== 'string' || typeof separator !== 'string' || limit === undefined) return noSuchOverload;
  if (limit === 0) return [];
  const pieces = separator === '' ? codePoints(text) : text.split(separator);
  if (limit < 0 || pieces.length <= limit) return pieces;
  return [...pieces.slice(0, limit - 1), pieces.slice(limit - 1).join(separator)];
};

const join: Operation = (list, separator) => {
  if (!isList(list) || (separator !== null && typeof separator !== 'string')) return noSuchOverload;
  return list.every((element) => typeof element === 'string') ? list.join(separator ?? '') : noSuchOverload;
};

const substring: Operation = (text, from, to) => {
  const start = smallInt(from);
  if (typeof text !== 'string' || start === undefined) return noSuchOverload;
  const chars = codePoints(text);
  const end = to === null ? chars.length : smallInt(to);
  if (end === undefined) return noSuchOverload;
  if (to !== null && start > end) return new CelError(`invalid substring range. start: ${start}, end: ${end}`);
  if (start < 0 || start > chars.length) return outOfRange(start);
  if (end < 0 || end > chars.length) return outOfRange(end);
  return chars.slice(start, end).join('');
};

// Unicode's White_Space, which JavaScript's trim does not follow exactly.
const space = /[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

const trim: Operation = (text) => {
  if (typeof text !== 'string') return noSuchOverload;
  let [start, end] = [0, text.length];
  while (start < end && space.test(text.charAt(start))) start += 1;
  while (end > start && space.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
};

const format: Operation = (text, args) =>
  typeof text === 'string' && isList(args) ? formatString(text, args) : noSuchOverload;

const quoteText: Operation = (text: Value) => (typeof text === 'string' ? quote(text) : noSuchOverload);

/** The string functions. Follows cel-go ext/strings.go, version 2. */
export const stringOperations: readonly (readonly [string, Operation])[] = [
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
