import { JsonNumber } from './json.ts';
import type { JsonDocument } from './json.ts';
import { deepestNesting, jsonNumber } from './json-walk.ts';
import type { Steps } from './pause.ts';
import { readInPieces, readWhole } from './plain-pieces.ts';

/**
 * The value if JSON.parse loses nothing: it is three times as fast as a walk, and its strings do not keep the whole text
 * alive. undefined for a text that repeats a key, spells a number oddly, nests deeply, has lone surrogates or is no JSON. A
 * long text is read in pieces, each a step: JSON.parse looks every key and every short text up among all that there are.
 */
export function* plainJsonInSteps(text: string): Steps<JsonDocument | undefined> {
  if (text.includes('\\ud') || text.includes('\\uD')) return undefined;
  const pieces = text.length > pieceOfText ? readInPieces(text, pieceOfText) : undefined;
  let keys = 0;
  let depth = 0;
  let stepEnds = pieceOfText;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === code.quote) at = endOfString(text, at);
    else if (char === code.colon) keys += 1;
    else if (char <= code.nine && char >= code.minus) at = endOfPlainNumber(text, at);
    else if (char === code.comma) {
      if (pieces?.comma(at) === false) return undefined;
    } else {
      const change = nesting[char] ?? 0;
      depth += change;
      if (pieces && change !== 0 && !(change > 0 ? pieces.open(at) : pieces.close(at))) return undefined;
    }
    if (at < 0 || depth > deepestNesting) return undefined;
    if (at < stepEnds) continue;
    stepEnds = at + pieceOfText;
    yield;
  }
  const read = pieces ? pieces.end() : readWhole(text);
  return read?.fields === keys ? read.value : undefined; // Fewer: a key was repeated.
}

const pieceOfText = 32 * 1024;

const code = { quote: 0x22, comma: 0x2c, minus: 0x2d, nine: 0x39, colon: 0x3a, backslash: 0x5c } as const;

/** By character code: 1 for an opening bracket, -1 for a closing one. */
const nesting = Int8Array.from({ length: 0x80 }, (_none, char) =>
  '[{'.indexOf(String.fromCharCode(char)) < 0 ? 0 : 1,
);
for (const bracket of ']}') nesting[bracket.charCodeAt(0)] = -1;

/** The closing quote's place; negative when there is none. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text.charCodeAt(at - 1 - slashes) === code.backslash) slashes += 1;
  return slashes % 2 === 1;
}

const literal = /[-+.\deE]*/y;

/** The place of the number's last character; negative when its text must be kept. */
function endOfPlainNumber(text: string, start: number): number {
  literal.lastIndex = start;
  const token = literal.exec(text)?.[0] ?? '';
  return jsonNumber(token) instanceof JsonNumber ? -1 : start + token.length - 1;
}
