import { goEscapes } from '../../machinery/go/strings.ts';
import { append } from '../../machinery/json/json.ts';
import {
  BoolFalseContext,
  BoolTrueContext,
  BytesContext,
  DoubleContext,
  IntContext,
  type LiteralContext,
  StringContext,
  UintContext,
} from '../grammar/generated/CELParser.ts';
import type { Constant } from './ast.ts';

export const unescapable = 'unable to unescape string';

/** The value of a string literal, or the error of an escape. `text` includes its quotes and its `r`. */
export function unescapeString(text: string): { readonly value: string } | { readonly error: string } {
  const body = literalBody(text);
  if (body === undefined) return { error: unescapable };
  if (body.raw || !body.text.includes('\\')) return { value: body.text };
  const parts: string[] = [];
  for (const piece of splitEscapes(body.text)) {
    if (typeof piece === 'string') parts.push(piece);
    else if (piece.code < 0) return { error: unescapable };
    else if (!isScalar(piece.code)) return { error: 'invalid unicode code point' };
    else parts.push(String.fromCodePoint(piece.code));
  }
  return { value: parts.join('') };
}

/**
 * The value of a bytes literal (without its `b`), or undefined for an invalid escape. `\x` and octal escapes are bytes,
 * everything else is UTF-8; `\u` is not allowed. Follows cel-go parser/unescape.go.
 */
export function unescapeBytes(text: string): Uint8Array | undefined {
  const body = literalBody(text);
  if (body === undefined) return undefined;
  const encoder = new TextEncoder();
  if (body.raw) return encoder.encode(body.text);
  const bytes: number[] = [];
  for (const piece of splitEscapes(body.text)) {
    if (typeof piece === 'string') append(bytes, encoder.encode(piece));
    else if (piece.unicode || piece.code < 0) return undefined;
    else bytes.push(piece.code);
  }
  return Uint8Array.from(bytes);
}

const isScalar = (code: number): boolean => code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);

function literalBody(text: string): { readonly text: string; readonly raw: boolean } | undefined {
  const raw = text.startsWith('r') || text.startsWith('R');
  const quoted = (raw ? text.slice(1) : text).replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  const quote = quoted.slice(0, 1);
  if ((quote !== '"' && quote !== "'") || quoted.length < 2) return undefined;
  const triple = quoted.length >= 6 && quoted.startsWith(quote.repeat(3));
  const width = triple ? 3 : 1;
  return { text: quoted.slice(width, -width), raw };
}

/** An escape: its number, and whether it names a character rather than a byte. -1 is an invalid escape. */
interface Escape {
  readonly code: number;
  readonly unicode: boolean;
}

const simple: Readonly<Record<string, string>> = {
  ...goEscapes,
  '\\': '\\',
  "'": "'",
  '"': '"',
  '`': '`',
  '?': '?',
};

const escape = /\\(?:[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|([\s\S])?)/g;

function splitEscapes(text: string): readonly (string | Escape)[] {
  const parts: (string | Escape)[] = [];
  let last = 0;
  for (const match of text.matchAll(escape)) {
    if (match.index > last) parts.push(text.slice(last, match.index));
    parts.push(parseEscape(match));
    last = match.index + match[0].length;
  }
  if (last < text.length) parts.push(text.slice(last));
  return parts;
}

function parseEscape([, hex, short, long, octal, char]: RegExpExecArray): string | Escape {
  if (hex !== undefined) return { code: Number.parseInt(hex, 16), unicode: false };
  const unicode = short ?? long;
  if (unicode !== undefined) return { code: Number.parseInt(unicode, 16), unicode: true };
  if (octal !== undefined) return { code: Number.parseInt(octal, 8), unicode: false };
  return (char === undefined ? undefined : simple[char]) ?? { code: -1, unicode: false };
}

const minInt = -(2n ** 63n);
const maxInt = 2n ** 63n - 1n;
const maxUint = 2n ** 64n - 1n;

/** The constant a literal means, or the error about it. Follows cel-go parser/parser.go. */
export function parseLiteral(context: LiteralContext): Constant | string {
  if (context instanceof IntContext) return parseIntLiteral(context.getText());
  if (context instanceof UintContext) return parseUintLiteral(context.getText());
  if (context instanceof DoubleContext) return parseDoubleLiteral(context.getText());
  if (context instanceof StringContext) {
    const read = unescapeString(context.getText());
    return 'error' in read ? read.error : { type: 'string', value: read.value };
  }
  if (context instanceof BytesContext) {
    const value = unescapeBytes(context.getText().slice(1));
    return value === undefined ? unescapable : { type: 'bytes', value };
  }
  if (context instanceof BoolTrueContext) return { type: 'bool', value: true };
  if (context instanceof BoolFalseContext) return { type: 'bool', value: false };
  return { type: 'null' };
}

function parseIntLiteral(text: string): Constant | string {
  const negative = text.startsWith('-');
  const magnitude = readDigits(negative ? text.slice(1) : text);
  if (magnitude === undefined) return 'invalid int literal';
  const value = negative ? -magnitude : magnitude;
  return value < minInt || value > maxInt ? 'invalid int literal' : { type: 'int', value };
}

function parseUintLiteral(text: string): Constant | string {
  const value = readDigits(text.slice(0, -1));
  return value === undefined || value > maxUint ? 'invalid uint literal' : { type: 'uint', value };
}

function parseDoubleLiteral(text: string): Constant | string {
  const value = Number(text);
  return Number.isFinite(value) ? { type: 'double', value } : 'invalid double literal';
}

const readDigits = (text: string): bigint | undefined =>
  /^(?:0x[0-9a-fA-F]+|[0-9]+)$/.test(text) ? BigInt(text) : undefined;
