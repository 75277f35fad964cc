import { countValues, deepestNesting, isContainer, jsonNumber } from './json-walk.ts';
import { type JsonDocument, JsonNumber, type JsonValue } from './json.ts';

/** Not `includes`: ten times as slow for a text of backslashes. */
const surrogateEscape = /\\u[dD]/;

/**
 * The value if JSON.parse loses nothing: it is three times as fast as a walk, and its strings do not keep the whole
 * text alive. undefined for a text with repeated keys, unusual numbers, deep nesting or lone surrogates, or that is not
 * JSON.
 */
export function plainJson(text: string): JsonDocument | undefined {
  if (surrogateEscape.test(text)) return undefined;
  const keys = countKeys(text);
  if (keys === undefined) return undefined;
  const value = parseOrUndefined(text);
  return value !== undefined && countFields(value) === keys ? value : undefined; // Fewer: a key was repeated.
}

const code = {
  quote: 0x22,
  minus: 0x2d,
  nine: 0x39,
  colon: 0x3a,
  backslash: 0x5c,
  openList: 0x5b,
  closeList: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;

/** How many keys the text has; undefined when JSON.parse would lose something. */
function countKeys(text: string): number | undefined {
  let keys = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === code.quote) at = endOfString(text, at);
    else if (char <= code.nine && char >= code.minus) at = endOfPlainNumber(text, at);
    else if (char === code.colon) keys += 1;
    else depth += depthChange[char] ?? 0;
    if (at < 0 || depth > deepestNesting) return undefined;
  }
  return keys;
}

/** By character code: the change of depth at a bracket. */
const depthChange = new Int8Array(0x80);
for (const bracket of [code.openList, code.openObject]) depthChange[bracket] = 1;
for (const bracket of [code.closeList, code.closeObject]) depthChange[bracket] = -1;

/** The index of the closing quote; negative when there is none. Most texts have no escapes. */
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

const numberLiteral = /[-+.\deE]*/y;

/** The index of the number's last character; negative when the value needs its text. */
function endOfPlainNumber(text: string, start: number): number {
  numberLiteral.lastIndex = start;
  const token = numberLiteral.exec(text)?.[0] ?? '';
  return jsonNumber(token) instanceof JsonNumber ? -1 : start + token.length - 1;
}

function parseOrUndefined(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const countFields = (value: JsonValue): number => (isContainer(value) ? countValues(value, Infinity).names : 0);
