import { isLarge } from '../apimachinery/is-large.ts';
import { jsonInSteps } from '../apimachinery/json-in-steps.ts';
import type { JsonValue } from '../apimachinery/json.ts';
import { escapeForGo, writeJson } from '../apimachinery/json-writer.ts';
import { atOnce } from '../apimachinery/pause.ts';
import type { Steps } from '../apimachinery/pause.ts';

/** So many characters are looked at in a step. */
const pieceOfText = 32 * 1024;

/**
 * Compact JSON text with line breaks and two spaces a level, numbers as they were; `outer` levels are around it.
 * Follows go src/encoding/json/indent.go.
 */
export const indentJson = (text: string, outer = 0): string => atOnce(indentInSteps(text, outer)).join('');

/** A value as Go prints it with indentation, in pieces that follow each other. */
export function* indentedInSteps(value: JsonValue, outer: number): Steps<readonly string[]> {
  const texts = isLarge(value) ? yield* jsonInSteps(value) : [writeJson(value)];
  let escaped = '';
  for (const text of texts) {
    for (let at = 0; at < text.length; at += pieceOfText) {
      escaped += escapeForGo(text.slice(at, at + pieceOfText));
      yield;
    }
  }
  return yield* indentInSteps(escaped, outer);
}

function* indentInSteps(text: string, outer: number): Steps<readonly string[]> {
  const pieces: string[] = [];
  let parts: string[] = [];
  let depth = outer;
  let piece = pieceOfText;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '"') {
      const end = endOfString(text, at);
      parts.push(text.slice(at, end));
      at = end - 1;
    } else if ((char === '{' && text[at + 1] === '}') || (char === '[' && text[at + 1] === ']')) {
      parts.push(text.slice(at, at + 2));
      at += 1;
    } else {
      if (char === '{' || char === '[') depth += 1;
      if (char === '}' || char === ']') depth -= 1;
      parts.push(withBreak(char, depth));
    }
    if (at < piece) continue;
    piece = at + pieceOfText;
    pieces.push(parts.join(''));
    parts = [];
    yield;
  }
  return [...pieces, parts.join('')];
}

function withBreak(char: string, depth: number): string {
  const newLine = (): string => `\n${'  '.repeat(depth)}`;
  if (char === '{' || char === '[' || char === ',') return char + newLine();
  if (char === '}' || char === ']') return newLine() + char;
  return char === ':' ? ': ' : char;
}

/** The offset behind the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}
