import { mapInTurns } from '../../apimachinery/in-turns.ts';
import type { Emitter } from './emitter.ts';
import { isNoPlainString } from './resolves.ts';
import { scalarForm } from './scalar-form.ts';

const bestWidth = 80;

/** `indent` is where further lines of the text begin. */
interface ScalarPosition {
  readonly indent: number;
  readonly isKey: boolean;
}

/** A string in the style Go's encoder chooses. Follows go.yaml.in/yaml/v2 encode.go stringv and emitterc.go. */
export function writeString(emitter: Emitter, text: string, place: ScalarPosition): void {
  const form = scalarForm(text);
  const asBlock = text.includes('\n') && form.block && !place.isKey;
  if (asBlock) return writeLiteral(emitter, text, place.indent);
  if (text.includes('\n') || (place.isKey && form.multiline)) return writeDoubleQuoted(emitter, text, place);
  if (isNoPlainString(text)) return writeDoubleQuoted(emitter, text, place);
  if (form.plain) return writePlain(emitter, text, place);
  return form.singleQuoted ? writeSingleQuoted(emitter, text, place) : writeDoubleQuoted(emitter, text, place);
}

/** A text that needs no quotes, folded at single spaces behind column 80. */
export function writePlain(emitter: Emitter, text: string, place: ScalarPosition): void {
  emitter.space();
  writeFolded(emitter, text, place, false);
  emitter.endScalar();
}

function writeSingleQuoted(emitter: Emitter, text: string, place: ScalarPosition): void {
  emitter.indicator("'");
  writeFolded(emitter, text, place, true);
  emitter.indicator("'", { spaced: false });
}

/** Written line by line, and folded at single spaces inside; in quotes, quotes are doubled. */
function writeFolded(emitter: Emitter, text: string, { indent, isKey }: ScalarPosition, isQuoted: boolean): void {
  const last = text.length - 1;
  let at = 0;
  let isNewLine = false;
  for (const piece of text.split(/( +|[\n\r\u0085\u2028\u2029])/)) {
    const canFold = piece === ' ' && !isKey && at > 0 && at < last;
    if (isBreak(piece)) emitter.lineBreak(piece);
    else if (canFold && emitter.column() > bestWidth) emitter.toIndent(indent);
    else if (piece !== '') {
      if (isNewLine) emitter.toIndent(indent);
      emitter.write(isQuoted ? piece.replaceAll("'", "''") : piece);
    }
    if (piece !== '') isNewLine = isBreak(piece);
    at += piece.length;
  }
}

const isBreak = (piece: string): boolean => /^[\n\r\u0085\u2028\u2029]$/.test(piece);

const escapes: Readonly<Record<string, string>> = {
  '\0': '0',
  '\u0007': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
  '\u001b': 'e',
  '"': '"',
  '\\': '\\',
  '\u0085': 'N',
  '\u00a0': '_',
  '\u2028': 'L',
  '\u2029': 'P',
};

/** Everything that is no printable character of the first plane. */
const escaped = /["\\]|[^\u0020-\u007e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/gu;

function escapeOf(char: string): string {
  const short = escapes[char];
  if (short !== undefined) return `\\${short}`;
  const code = char.codePointAt(0) ?? 0;
  const [sign, width] = code <= 0xff ? (['x', 2] as const) : code <= 0xffff ? (['u', 4] as const) : (['U', 8] as const);
  return `\\${sign}${code.toString(16).toUpperCase().padStart(width, '0')}`;
}

/** So many characters, none of them in halves, are escaped before others are let in. */
const part = /[^]{1,1024}/gu;

const escapedText = (text: string): string =>
  mapInTurns(text.match(part) ?? [], (chars) => chars.replaceAll(escaped, escapeOf)).join('');

function writeDoubleQuoted(emitter: Emitter, text: string, { indent, isKey }: ScalarPosition): void {
  emitter.indicator('"');
  let at = 0;
  let wasSpace = false;
  for (const piece of text.split(/( )/)) {
    const isSpace = piece === ' ';
    const folds = isSpace && !isKey && !wasSpace && at > 0 && at < text.length - 1 && emitter.column() > bestWidth;
    if (folds) {
      emitter.toIndent(indent);
      if (text.charAt(at + 1) === ' ') emitter.write('\\');
    } else if (piece !== '') emitter.write(isSpace ? piece : escapedText(piece));
    if (piece !== '') wasSpace = isSpace;
    at += piece.length;
  }
  emitter.indicator('"', { spaced: false });
}

/** `|`, with the hints that say how the text begins and ends. */
function writeLiteral(emitter: Emitter, text: string, indent: number): void {
  const begins = /^[ \n\r\u0085\u2028\u2029]/.test(text) ? '2' : '';
  const ends = !isBreak(text.slice(-1)) ? '-' : text.length === 1 || isBreak(text.at(-2) ?? '') ? '+' : '';
  emitter.indicator(`|${begins}${ends}`);
  emitter.openBlock();
  for (const piece of text.split(/([\n\r\u0085\u2028\u2029])/)) {
    if (isBreak(piece)) emitter.lineBreak(piece);
    else if (piece !== '') {
      emitter.toIndent(indent);
      emitter.write(piece);
    }
  }
}
