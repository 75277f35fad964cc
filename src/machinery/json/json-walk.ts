import { goQuote } from '../meta/field-error.ts';
import { type JsonDocument, JsonNumber, type JsonValue } from './json.ts';

/** Receives what a JSON text contains, in document order. */
export interface JsonVisitor {
  readonly open: (container: 'object' | 'array') => void;
  readonly close: () => void;
  /** A member name; its value follows. `offset` is that of the opening quote. */
  readonly key: (name: string, offset: number) => void;
  /** Any other value; its text is that from `start` to `end`. */
  readonly scalar: (value: JsonScalar, start: number, end: number) => void;
}

export type JsonScalar = null | boolean | number | string | JsonNumber;

/** Why a text is no JSON, in Go's words. */
interface JsonFault {
  readonly error: string;
  readonly offset: number;
}

/**
 * Visits the text up to its end or to the first fault, which it returns. Without recursion: see deepestNesting. Follows
 * go src/encoding/json/scanner.go.
 */
export function walkJson(text: string, visitor: JsonVisitor): JsonFault | undefined {
  const walk: Walk = { text, visitor, at: 0, open: [], fault: undefined };
  let state: State = 'value';
  while (state !== 'end') {
    skipSpace(walk);
    state = steps[state](walk);
  }
  return walk.fault;
}

interface Walk {
  readonly text: string;
  readonly visitor: JsonVisitor;
  at: number;
  readonly open: ('object' | 'array')[];
  fault: JsonFault | undefined;
}

type State = 'value' | 'first-element' | 'first-key' | 'key' | 'after-value' | 'end';

/**
 * How deep a text may be nested. Go allows 10000 levels; here many functions recurse once per level, and a stack
 * overflow may end the process.
 */
export const deepestNesting = 500;

const steps: Readonly<Record<Exclude<State, 'end'>, (walk: Walk) => State>> = {
  value: readValue,
  'first-element': (walk) => (walk.text[walk.at] === ']' ? closeContainer(walk) : readValue(walk)),
  'first-key': (walk) => (walk.text[walk.at] === '}' ? closeContainer(walk) : readKey(walk)),
  key: readKey,
  'after-value': readSeparator,
};

function readValue(walk: Walk): State {
  switch (walk.text.charAt(walk.at)) {
    case '{':
      return openContainer(walk, 'object');
    case '[':
      return openContainer(walk, 'array');
    case '"':
      return readText(walk);
    case 't':
      return readLiteral(walk, 'true', true);
    case 'f':
      return readLiteral(walk, 'false', false);
    case 'n':
      return readLiteral(walk, 'null', null);
    default:
      return readNumber(walk);
  }
}

function openContainer(walk: Walk, container: 'object' | 'array'): State {
  if (walk.open.length === deepestNesting) return fail(walk, 'exceeded max depth');
  walk.open.push(container);
  walk.visitor.open(container);
  walk.at += 1;
  return container === 'object' ? 'first-key' : 'first-element';
}

function closeContainer(walk: Walk): State {
  walk.open.pop();
  walk.visitor.close();
  walk.at += 1;
  return 'after-value';
}

function readKey(walk: Walk): State {
  if (walk.text[walk.at] !== '"') return fail(walk, 'looking for beginning of object key string');
  const offset = walk.at;
  const name = readString(walk);
  if (name === undefined) return 'end';
  skipSpace(walk);
  if (walk.text[walk.at] !== ':') return fail(walk, 'after object key');
  walk.at += 1;
  walk.visitor.key(name, offset);
  return 'value';
}

function readSeparator(walk: Walk): State {
  const container = walk.open.at(-1);
  if (container === undefined) return walk.at === walk.text.length ? 'end' : fail(walk, 'after top-level value');
  const char = walk.text[walk.at];
  if (char === (container === 'object' ? '}' : ']')) return closeContainer(walk);
  if (char !== ',') return fail(walk, container === 'object' ? 'after object key:value pair' : 'after array element');
  walk.at += 1;
  return container === 'object' ? 'key' : 'value';
}

function visitScalar(walk: Walk, start: number, value: JsonScalar | undefined): State {
  if (value === undefined) return 'end';
  walk.visitor.scalar(value, start, walk.at);
  return 'after-value';
}

function readText(walk: Walk): State {
  const start = walk.at;
  return visitScalar(walk, start, readString(walk));
}

function readLiteral(walk: Walk, literal: string, value: boolean | null): State {
  const start = walk.at;
  for (const char of literal) {
    if (walk.text[walk.at] !== char) return fail(walk, `in literal ${literal} (expecting '${char}')`);
    walk.at += 1;
  }
  return visitScalar(walk, start, value);
}

// The longest valid prefix of a string, or a run of its escapes; the longest valid prefix of a number.
// oxlint-disable-next-line no-control-regex -- JSON has none in strings
const stringBody = /(?:[^"\\\u0000-\u001f]+|\\(?:["\\/bfnrt]|u[\da-fA-F]{4})){1,1024}/y;
const numberBody = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** The decoded string at the cursor, its quotes skipped; undefined after a fault. Lone surrogates become U+FFFD, as in Go. */
function readString(walk: Walk): string | undefined {
  const { text } = walk;
  const start = walk.at;
  stringBody.lastIndex = start + 1;
  for (walk.at += 1; stringBody.test(text); walk.at = stringBody.lastIndex);
  if (text[walk.at] !== '"') return failString(walk);
  walk.at += 1;
  const literal = text.slice(start, walk.at);
  return literal.includes('\\') ? unescapeString(literal) : literal.slice(1, -1);
}

/** The character at the cursor is not allowed in a string. */
function failString(walk: Walk): undefined {
  if (walk.text[walk.at] !== '\\') return void fail(walk, 'in string literal');
  walk.at += 1;
  if (walk.text[walk.at] !== 'u') return void fail(walk, 'in string escape code');
  walk.at += 1;
  while (/^[\da-fA-F]$/.test(walk.text[walk.at] ?? '')) walk.at += 1;
  fail(walk, 'in \\u hexadecimal character escape');
}

/** The value of a valid JSON string literal. */
function unescapeString(literal: string): string {
  const value: unknown = JSON.parse(literal);
  return String(value).toWellFormed();
}

function readNumber(walk: Walk): State {
  numberBody.lastIndex = walk.at;
  const token = numberBody.exec(walk.text)?.[0];
  if (token === undefined) {
    if (walk.text[walk.at] !== '-') return fail(walk, 'looking for beginning of value');
    walk.at += 1;
    return fail(walk, 'in numeric literal');
  }
  walk.at += token.length;
  const next = walk.text[walk.at] ?? '';
  if (next === '.' && !/[.eE]/.test(token)) {
    walk.at += 1;
    return fail(walk, 'after decimal point in numeric literal');
  }
  if (/^[eE]$/.test(next) && !/[eE]/.test(token)) {
    walk.at += /^[+-]$/.test(walk.text[walk.at + 1] ?? '') ? 2 : 1;
    return fail(walk, 'in exponent of numeric literal');
  }
  return visitScalar(walk, walk.at - token.length, jsonNumber(token));
}

/** The number of a literal; its text where JavaScript would print it differently or lose precision. */
export function jsonNumber(literal: string): number | JsonNumber {
  const value = Number(literal);
  if (String(value) !== literal) return new JsonNumber(literal);
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? new JsonNumber(literal) : value;
}

function skipSpace(walk: Walk): void {
  while (isSpace(walk.text.charCodeAt(walk.at))) walk.at += 1;
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

function fail(walk: Walk, context: string): 'end' {
  const code = walk.text.codePointAt(walk.at);
  const error =
    code === undefined ? 'unexpected end of JSON input' : `invalid character ${quoteCharacter(code)} ${context}`;
  walk.fault = { error, offset: walk.at };
  return 'end';
}

/** The character as Go prints it. Go reads bytes: of `é` it prints the first one, `Ã`. */
function quoteCharacter(codePoint: number): string {
  const char = String.fromCharCode(firstByte(codePoint));
  if (char === "'") return String.raw`'\''`;
  if (char === '"') return `'"'`;
  return `'${goQuote(char).slice(1, -1)}'`;
}

function firstByte(codePoint: number): number {
  if (codePoint < 0x80) return codePoint;
  if (codePoint < 0x800) return 0xc0 | (codePoint >> 6);
  return codePoint < 0x10000 ? 0xe0 | (codePoint >> 12) : 0xf0 | (codePoint >> 18);
}

/** The contents of a list or an object at any depth, up to a maximum. */
interface ValueCounter {
  /** How many more values could be counted; negative: there are more, and the other numbers are too small. */
  left: number;
  /** Lists and objects, the outermost one included. */
  containers: number;
  texts: number;
  characters: number;
  /** Numbers, booleans, null. */
  others: number;
  /** Fields of objects. */
  names: number;
  nameCharacters: number;
}

type Container = Exclude<Extract<JsonDocument | JsonValue, object>, JsonNumber>;

/** Is it a list or an object? */
export const isContainer = (value: JsonDocument | JsonValue | undefined): value is Container =>
  typeof value === 'object' && value !== null && !(value instanceof JsonNumber);

/** Counts up to `maxValues` values inside a container. Every write calls this several times. */
export function countValues(container: Container, maxValues: number): ValueCounter {
  const counted = { left: maxValues, containers: 0, texts: 0, characters: 0, others: 0, names: 0, nameCharacters: 0 };
  countMembers(counted, container);
  return counted;
}

/** An upper bound: an escape takes six bytes, the longest number 24. */
export function maxJsonBytes(container: Container): number {
  const { containers, texts, characters, others, names, nameCharacters } = countValues(container, Infinity);
  return 6 * (characters + nameCharacters) + 3 * (texts + containers + names) + 25 * others;
}

function countMembers(counted: ValueCounter, container: Container): void {
  counted.containers += 1;
  if (isList(container)) {
    counted.left -= container.length;
    for (let at = 0; at < container.length && counted.left >= 0; at += 1) countValue(counted, container[at]);
    return;
  }
  for (const name in container) {
    counted.left -= 1;
    if (counted.left < 0) return;
    counted.names += 1;
    counted.nameCharacters += name.length;
    countValue(counted, container[name]);
  }
}

function countValue(counted: ValueCounter, value: JsonDocument | JsonValue | undefined): void {
  if (typeof value === 'string') {
    counted.texts += 1;
    counted.characters += value.length;
  } else if (isContainer(value)) countMembers(counted, value);
  else counted.others += 1;
}

const isList = (value: Container): value is readonly (JsonDocument | JsonValue)[] => Array.isArray(value);
