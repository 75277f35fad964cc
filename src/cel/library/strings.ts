import { Cancelled, type CelOperation, costExceeded, maxResultLength } from '../run/frame.ts';
import { allMatches, compileRegex, isMatch } from '../run/regex.ts';
import { codePointLength, codePointsBefore, unitOfCodePoint } from '../syntax/code-points.ts';
import { indexOfValue } from '../value/compare.ts';
import { CelError, type CelResult, type Value, isCelList, isInt, noSuchOverload, smallInt } from '../value/value.ts';
import { formatString } from './format-string.ts';
import { quote } from './format-verbs.ts';
import { type CostRange, maxUint64, perChar, addCosts, scaleCost, multiplyCosts } from '../estimate/estimator.ts';
import {
  convertCost,
  elementSize,
  type FunctionCost,
  type FunctionRow,
  patternCost,
  readCost,
  sizeOf,
  sumOver,
  traversalCost,
  unitCost,
} from './cel-function.ts';
import { splitText, firstIndexOf, lastIndexBefore } from './find-text.ts';

const matchesOperation: CelOperation = (text, pattern) => {
  if (typeof text !== 'string' || typeof pattern !== 'string') return noSuchOverload;
  const regex = compileRegex(pattern);
  return regex instanceof CelError ? regex : isMatch(regex, text);
};

const illegalRegex = ({ message }: CelError): CelError => new CelError(`Illegal regex: ${message}`);

const find: CelOperation = (text, pattern) => {
  if (typeof text !== 'string' || typeof pattern !== 'string') return noSuchOverload;
  const regex = compileRegex(pattern);
  const matches = regex instanceof CelError ? illegalRegex(regex) : allMatches(regex, text, 1);
  return matches instanceof CelError ? matches : (matches[0] ?? '');
};

const findAll: CelOperation = (text, pattern, count) => {
  const limit = count === null ? -1 : smallInt(count);
  if (typeof text !== 'string' || typeof pattern !== 'string' || limit === undefined) return noSuchOverload;
  const regex = compileRegex(pattern);
  return regex instanceof CelError ? illegalRegex(regex) : allMatches(regex, text, limit < 0 ? Infinity : limit);
};

const findCost: FunctionCost = {
  runtime: patternCost.runtime,
  estimate: (call) => ({ ...patternCost.estimate(call), size: { min: 0n, max: call.size(0).max } }),
};

/** Regular expressions in RE2's syntax. Follows cel-go common/stdlib and apiserver pkg/cel/library/regex.go. */
export const regexFunctions: readonly FunctionRow[] = [
  ['matches', matchesOperation, unitCost, { matches_string: patternCost }],
  ['find', find, findCost],
  ['findAll', findAll, findCost],
];

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
  const unit = begin < text.length ? firstIndexOf(text, part, begin) : -1;
  return unit < 0 ? -1 : codePointsBefore(text, unit);
}

const indexOf: CelOperation = (target, part, from) => {
  if (isCelList(target)) return indexOfValue(target, part);
  const start = from === null ? 0 : smallInt(from);
  if (typeof target !== 'string' || typeof part !== 'string' || start === undefined) return noSuchOverload;
  return textIndexOf(target, part, start);
};

const lastIndexOf: CelOperation = (target, part, from) => {
  if (isCelList(target)) return indexOfValue(target, part, true);
  if (typeof target !== 'string' || typeof part !== 'string') return noSuchOverload;
  const length = codePointLength(target);
  const start = from === null ? length : smallInt(from);
  if (start === undefined) return noSuchOverload;
  if (part === '') return from === null ? length : start;
  if (start < 0) return outOfRange(from);
  if (from !== null && start >= length) return -1;
  const unit = lastIndexBefore(target, part, unitOfCodePoint(target, start));
  return unit < 0 ? -1 : codePointsBefore(target, unit);
};

/** A text of ASCII letters is changed in one call. */
const convertAscii =
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
  return old === '' ? replaceEmpty(text, made, max) : replaceParts(text, old, made, max);
};

/** With the replacement between the pieces; the result could be gigabytes, which the cost does not include. */
function replaceParts(text: string, old: string, made: string, max: number): string {
  const pieces = splitText(text, old, max);
  if (pieces.length * made.length > maxResultLength) throw new Cancelled(costExceeded);
  return pieces.join(made);
}

/** Go puts the replacement before every character and at the end. */
function replaceEmpty(text: string, made: string, max: number): string {
  if (max === 0) return text;
  if (text === '') return made;
  const isAtEnd = text.length < max || codePointLength(text) < max;
  return `${made}${replaceParts(text, '', made, max - 1)}${isAtEnd ? made : ''}`;
}

const split: CelOperation = (text, separator, count) => {
  const limit = count === null ? -1 : smallInt(count);
  if (typeof text !== 'string' || typeof separator !== 'string' || limit === undefined) return noSuchOverload;
  if (limit === 0 || (text === '' && separator === '')) return [];
  const max = limit < 0 ? Infinity : limit - 1;
  return splitText(text, separator, max);
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

const replaceCost: FunctionCost = {
  runtime: (text) => Math.ceil(sizeOf(text) * 0.2),
  estimate: ({ size }) => {
    const [text, replaced, replacement] = [size(0), size(1), size(2)];
    const longest = countReplacements(text.max, replaced.min, replacement.max <= replaced.min);
    const shortest = countReplacements(text.min, replaced.max, replaced.max <= replacement.min);
    const counts: CostRange = { min: shortest.count, max: longest.count };
    const unchanged: CostRange = { min: shortest.unchanged, max: longest.unchanged };
    return { cost: scaleCost(text, 2 * perChar), size: addCosts(multiplyCosts(counts, replacement), unchanged) };
  },
};

/** How many replacements a text of this length can have, and how many characters stay. An empty text is before and after every character. */
function countReplacements(
  length: bigint,
  replaced: bigint,
  isUnchanged: boolean,
): { count: bigint; unchanged: bigint } {
  if (replaced === 0n) return { count: length < maxUint64 ? length + 1n : length, unchanged: length };
  if (isUnchanged) return { count: 0n, unchanged: length };
  return { count: BigInt.asUintN(64, BigInt(Math.ceil(Number(length) / Number(replaced)))), unchanged: 0n };
}

const splitCost: FunctionCost = {
  runtime: replaceCost.runtime,
  estimate: ({ args: [, , limit], size }) => {
    const isLiteral = limit?.type === 'constant' && limit.constant.type === 'int';
    const max = isLiteral ? BigInt.asUintN(64, limit.constant.value) : size(0).max;
    return { cost: scaleCost(size(0), 2 * perChar), size: { min: 0n, max } };
  },
};

const joinCost: FunctionCost = {
  runtime: (list, separator) => {
    if (!isCelList(list)) return 1;
    const separators = typeof separator === 'string' ? sizeOf(separator) * Math.max(0, list.length - 1) : 0;
    return Math.ceil((separators + sumOver(list, sizeOf)) * 0.2);
  },
  estimate: (call) => {
    const list = call.size(0);
    const texts = multiplyCosts(list, elementSize(call));
    const gaps = { min: list.min > 0n ? list.min - 1n : 0n, max: list.max > 0n ? list.max - 1n : 0n };
    const size = call.args.length > 1 ? addCosts(texts, multiplyCosts(call.size(1), gaps)) : texts;
    return { cost: scaleCost(size, perChar), size };
  },
};

/** The size may overflow, as upstream's does. */
const quoteCost: FunctionCost = {
  runtime: readCost.runtime,
  estimate: (call) => {
    const { min, max } = call.size(0);
    return { ...readCost.estimate(call), size: { min: (min + 2n) & maxUint64, max: (max * 2n + 2n) & maxUint64 } };
  },
};

/** The string functions. Follows cel-go ext/strings.go, version 2. */
export const stringFunctions: readonly FunctionRow[] = [
  ['charAt', charAt, unitCost],
  ['indexOf', indexOf, traversalCost],
  ['lastIndexOf', lastIndexOf, traversalCost],
  ['lowerAscii', convertAscii(/[A-Z]+/g, (text) => text.toLowerCase()), convertCost],
  ['upperAscii', convertAscii(/[a-z]+/g, (text) => text.toUpperCase()), convertCost],
  ['replace', replace, replaceCost],
  ['split', split, splitCost],
  ['join', join, joinCost],
  ['substring', substring, convertCost],
  ['trim', trim, convertCost],
  ['format', format, readCost],
  ['strings.quote', quoteText, quoteCost],
];
