import { code, isBlankOrEnd, isBreak, isDocumentIndicator, peek, readBreak, readMatch } from './cursor.ts';
import { scanFault, skip } from './cursor.ts';
import type { Cursor, Work } from './cursor.ts';
import { folded, readGap } from './scan-plain.ts';

/** Reads a scalar in quotes; the cursor is at the first quote. Follows goyaml.v2 scannerc.go yaml_parser_scan_flow_scalar. */
export function* readQuoted(cursor: Cursor, quote: number): Work<string> {
  const taken: Taken = { text: '', parts: [] };
  skip(cursor);
  for (let lines = 1; ; lines += 1) {
    if (lines % 2000 === 0) {
      join(taken);
      yield;
    }
    if (isDocumentIndicator(cursor)) throw scanFault(cursor, 'found unexpected document indicator');
    if (peek(cursor) === 0) throw scanFault(cursor, 'found unexpected end of stream');
    const brokeLine = yield* readCharacters(cursor, quote, taken);
    if (peek(cursor) === quote) break;
    const gap = yield* readGap(cursor, () => undefined);
    // Behind an escaped line break, white space is indentation, and line breaks count.
    if (brokeLine) taken.parts.push(gap.first === '' ? '' : gap.first + gap.others);
    else taken.parts.push(gap.first === '' ? gap.blanks : folded(gap.first, gap.others));
  }
  skip(cursor);
  return join(taken);
}

/** What was read: a text in quotes may have a million parts, which take long to be joined at once. */
interface Taken {
  text: string;
  readonly parts: string[];
}

function join(taken: Taken): string {
  taken.text += taken.parts.join('');
  taken.parts.length = 0;
  return taken.text;
}

const singleRun = /[^ \t\n\r\u0085\u2028\u2029']+/y;
const doubleRun = /[^ \t\n\r\u0085\u2028\u2029"\\]+/y;

/** Reads up to white space or the quote. true when an escaped line break ended it. */
function* readCharacters(cursor: Cursor, quote: number, taken: Taken): Work<boolean> {
  const { parts } = taken;
  const run = quote === code.singleQuote ? singleRun : doubleRun;
  let read = 0;
  while (!isBlankOrEnd(peek(cursor))) {
    const char = peek(cursor);
    read += 1;
    if (read % 10_000 === 0) {
      join(taken);
      yield;
    }
    if (char === quote) {
      if (quote === code.doubleQuote || peek(cursor, 1) !== quote) return false;
      parts.push("'");
      skip(cursor, 2);
    } else if (char === code.backslash && quote === code.doubleQuote) {
      if (isBreak(peek(cursor, 1))) {
        skip(cursor);
        readBreak(cursor);
        return true;
      }
      parts.push(readEscape(cursor));
    } else {
      parts.push(readMatch(cursor, run));
    }
  }
  return false;
}

const escapes: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  t: '\t',
  '\t': '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\x1b',
  ' ': ' ',
  '"': '"',
  "'": "'",
  '\\': '\\',
  N: '\u0085',
  _: '\u00a0',
  L: '\u2028',
  P: '\u2029',
};

const digitsOf: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

function readEscape(cursor: Cursor): string {
  const letter = cursor.text.charAt(cursor.at + 1);
  const character = Object.hasOwn(escapes, letter) ? escapes[letter] : undefined;
  const digits = Object.hasOwn(digitsOf, letter) ? digitsOf[letter] : undefined;
  if (character === undefined && digits === undefined) throw scanFault(cursor, 'found unknown escape character');
  skip(cursor, 2);
  if (character !== undefined) return character;
  const hex = cursor.text.slice(cursor.at, cursor.at + (digits ?? 0));
  if (hex.length !== digits || !/^[\da-f]+$/i.test(hex))
    throw scanFault(cursor, 'did not find expected hexdecimal number');
  const value = Number.parseInt(hex, 16);
  if ((value >= 0xd800 && value <= 0xdfff) || value > 0x10ffff)
    throw scanFault(cursor, 'found invalid Unicode character escape code');
  skip(cursor, digits);
  return String.fromCodePoint(value);
}
