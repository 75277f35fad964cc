import type { Steps } from '../../../machinery/pause.ts';
import { piecesOfText } from '../../../machinery/json/pieces-of-text.ts';
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
export function* writeString(emitter: Emitter, text: string, place: ScalarPosition): Steps<void> {
  const form = scalarForm(text);
  if (text.length > longText) yield;
  const asBlock = text.includes('\n') && form.block && !place.isKey;
  if (asBlock) return yield* writeLiteral(emitter, text, place.indent);
  if (text.includes('\n') || (place.isKey && form.multiline)) return yield* writeDoubleQuoted(emitter, text, place);
  if (isNoPlainString(text)) return yield* writeDoubleQuoted(emitter, text, place);
  if (form.plain) return yield* writePlain(emitter, text, place);
  return yield* form.singleQuoted ? writeSingleQuoted(emitter, text, place) : writeDoubleQuoted(emitter, text, place);
}

/** A text that needs no quotes, folded at single spaces behind column 80. */
export function* writePlain(emitter: Emitter, text: string, place: ScalarPosition): Steps<void> {
  emitter.space();
  yield* writeFolded(emitter, text, place);
  emitter.endScalar();
}

/** In quotes, quotes are doubled. */
function* writeSingleQuoted(emitter: Emitter, text: string, place: ScalarPosition): Steps<void> {
  emitter.indicator("'");
  yield* writeFolded(emitter, text.replaceAll("'", "''"), place);
  emitter.indicator("'", { spaced: false });
}

/** Written line by line, and folded at single spaces inside. */
function* writeFolded(emitter: Emitter, text: string, place: ScalarPosition): Steps<void> {
  let isNewLine = false;
  for (const line of linesOf(text)) {
    if (isBreak(line)) emitter.lineBreak(line);
    else {
      if (isNewLine) emitter.toIndent(place.indent);
      yield* foldLine(emitter, line, { ...place, marksSpaces: false });
    }
    isNewLine = isBreak(line);
    if (emitter.isDue()) yield;
  }
}

interface Folding extends ScalarPosition {
  /** A line may begin with spaces, behind a backslash; otherwise only single spaces are folded. */
  readonly marksSpaces: boolean;
}

/** Writes a text without line breaks; behind column 80 a space in it becomes the end of a line. */
function* foldLine(emitter: Emitter, text: string, { indent, isKey, marksSpaces }: Folding): Steps<void> {
  let from = 0;
  for (let at = isKey ? -1 : spaceBehind(emitter, text, from); at > 0; at = spaceBehind(emitter, text, from, at + 1)) {
    if (at === text.length - 1) break;
    const isFollowed = text.charAt(at + 1) === ' ';
    if (text.charAt(at - 1) === ' ' || (isFollowed && !marksSpaces)) continue;
    emitter.write(text.slice(from, at));
    emitter.toIndent(indent);
    if (isFollowed) emitter.write('\\');
    from = at + 1;
    if (emitter.isDue()) yield;
  }
  if (from < text.length) emitter.write(text.slice(from));
}

/** The first space, not before `least`, that stands behind column 80 when what begins at `from` is written here. */
const spaceBehind = (emitter: Emitter, text: string, from: number, least = 1): number =>
  text.indexOf(' ', Math.max(least, from + bestWidth + 1 - emitter.column()));

/** The lines of a text and each break between them. */
function* linesOf(text: string): Generator<string, void> {
  let at = 0;
  for (const { 0: lineBreak, index } of text.matchAll(/[\n\r\u0085\u2028\u2029]/g)) {
    if (index > at) yield text.slice(at, index);
    yield lineBreak;
    at = index + 1;
  }
  if (at < text.length) yield text.slice(at);
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

/** Beyond this a text is looked at, and written, in steps of so many characters. */
const longText = 16 * 1024;

function* writeDoubleQuoted(emitter: Emitter, text: string, place: ScalarPosition): Steps<void> {
  emitter.indicator('"');
  yield* foldLine(emitter, yield* escapedText(text), { ...place, marksSpaces: true });
  emitter.indicator('"', { spaced: false });
}

/** No escape has a space, and none is lost. */
function* escapedText(text: string): Steps<string> {
  const parts: string[] = [];
  for (const part of piecesOfText(text, longText)) {
    parts.push(part.replaceAll(escaped, escapeOf));
    if (part.length < text.length) yield;
  }
  return parts.join('');
}

/** `|`, with the hints that say how the text begins and ends. */
function* writeLiteral(emitter: Emitter, text: string, indent: number): Steps<void> {
  const begins = /^[ \n\r\u0085\u2028\u2029]/.test(text) ? '2' : '';
  const ends = !isBreak(text.slice(-1)) ? '-' : text.length === 1 || isBreak(text.at(-2) ?? '') ? '+' : '';
  emitter.indicator(`|${begins}${ends}`);
  emitter.openBlock();
  for (const line of linesOf(text)) {
    if (isBreak(line)) emitter.lineBreak(line);
    else {
      emitter.toIndent(indent);
      emitter.write(line);
    }
    if (emitter.isDue()) yield;
  }
}
