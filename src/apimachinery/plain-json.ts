import { JsonNumber } from './json.ts';
import type { JsonDocument } from './json.ts';
import { deepestNesting, jsonNumber } from './json-walk.ts';
import type { Steps } from './pause.ts';
import { beginPieces, closeAt, commaAt, endOfPieces, openAt, readWhole } from './plain-pieces.ts';
import type { Pieces } from './plain-pieces.ts';

/** A text as far as it was looked at. */
interface Scan {
  readonly text: string;
  at: number;
  keys: number;
  depth: number;
  /** Of a long text. */
  readonly pieces: Pieces | undefined;
}

const pieceOfText = 32 * 1024;

/** Not `includes`: in a text that is all backslashes that takes ten times as long. */
const surrogate = /\\u[dD]/;

/**
 * The value if JSON.parse loses nothing: it is three times as fast as a walk, and its strings do not keep the whole text
 * alive. undefined for a text that repeats a key, spells a number oddly, nests deeply, has lone surrogates or is no JSON. A
 * long text is read in pieces, each a step: JSON.parse looks every key and every short text up among all that there are.
 */
export function* plainJsonInSteps(text: string): Steps<JsonDocument | undefined> {
  if (surrogate.test(text)) return undefined;
  const pieces = text.length > pieceOfText ? beginPieces(text, pieceOfText) : undefined;
  const scan: Scan = { text, at: 0, keys: 0, depth: 0, pieces };
  while (scan.at < text.length) {
    if (!scanPiece(scan)) return undefined;
    if (pieces) yield;
  }
  const read = pieces ? endOfPieces(pieces) : readWhole(text);
  return read?.fields === scan.keys ? read.value : undefined; // Fewer: a key was repeated.
}

const code = {
  quote: 0x22,
  comma: 0x2c,
  minus: 0x2d,
  nine: 0x39,
  colon: 0x3a,
  backslash: 0x5c,
  openList: 0x5b,
  openObject: 0x7b,
} as const;

/** Goes on; false when JSON.parse may not be trusted with the text. */
function scanPiece(scan: Scan): boolean {
  const { text } = scan;
  const end = Math.min(text.length, scan.at + pieceOfText);
  let { at } = scan;
  for (; at < end; at += 1) {
    const char = text.charCodeAt(at);
    if (char === code.quote) at = endOfString(text, at);
    else if (char <= code.nine && char >= code.minus) at = endOfPlainNumber(text, at);
    else if (char === code.colon) scan.keys += 1;
    else if (marks[char] === 1 && !take(scan, char, at)) return false;
    if (at < 0) return false;
  }
  scan.at = at;
  return true;
}

/** By character code: 1 for what stands between values. */
const marks = new Int8Array(0x80);
for (const mark of ',[]{}') marks[mark.charCodeAt(0)] = 1;

function take(scan: Scan, mark: number, at: number): boolean {
  const { pieces } = scan;
  if (mark === code.comma) return !pieces || commaAt(pieces, at);
  const opens = mark === code.openList || mark === code.openObject;
  scan.depth += opens ? 1 : -1;
  if (scan.depth > deepestNesting) return false;
  return !pieces || (opens ? openAt(pieces, at) : closeAt(pieces, at));
}

/** The closing quote's place; negative when there is none. Most texts have no escapes. */
function endOfString(text: string, start: number): number {
  const quote = text.indexOf('"', start + 1);
  if (quote < 0 || text.charCodeAt(quote - 1) !== code.backslash) return quote;
  for (let at = start + 1; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === code.quote) return at;
    if (char === code.backslash) at += 1;
  }
  return -1;
}

const literal = /[-+.\deE]*/y;

/** The place of the number's last character; negative when its text must be kept. */
function endOfPlainNumber(text: string, start: number): number {
  literal.lastIndex = start;
  const token = literal.exec(text)?.[0] ?? '';
  return jsonNumber(token) instanceof JsonNumber ? -1 : start + token.length - 1;
}
