import { isPlainText } from '../../../machinery/yaml/resolve-scalar.ts';

interface Position {
  readonly isKey: boolean;
  /** Of further lines. */
  readonly indent: number;
  /** Of the text's start. */
  readonly column: number;
}

/** A string in the style of Go's encoder. Follows go.yaml.in/yaml/v2 encode.go stringv and emitterc.go. */
export function printString(text: string, at: Position): string {
  const { multiline, plain, singleQuoted, block } = scalarForm(text);
  const hasLines = text.includes('\n');
  if (hasLines && block && !at.isKey) return printLiteral(text, at.indent);
  if (hasLines || (at.isKey && multiline) || !isPlainString(text)) return printDoubleQuoted(text, at);
  if (plain) return foldLine(text, at);
  return singleQuoted ? printSingleQuoted(text, at) : printDoubleQuoted(text, at);
}

/** `|` with indentation and chomping indicators; the next line writes the last line break. */
function printLiteral(text: string, indent: number): string {
  const begins = /^[ \n\u2028\u2029]/.test(text) ? '2' : '';
  const ends = !isBreak(text.slice(-1)) ? '-' : text.length === 1 || isBreak(text.at(-2)) ? '+' : '';
  const lines = text.replace(/\n$/, '').replaceAll(lineStart, ' '.repeat(indent));
  return `|${begins}${ends}\n${lines}`;
}

/** The start of a non-empty line. */
const lineStart = /(?<=^|[\n\u2028\u2029])(?=[^\n\u2028\u2029])/g;

const isBreak = (char: string | undefined): boolean => char === '\n' || char === '\u2028' || char === '\u2029';

function printSingleQuoted(text: string, at: Position): string {
  const [first = '', ...others] = text.replaceAll("'", "''").split(/(?<=[\u2028\u2029])/);
  const lines = [foldLine(first, { ...at, column: at.column + 1 })];
  for (const line of others) {
    const isEmpty = isBreak(line);
    lines.push(isEmpty ? line : ' '.repeat(at.indent) + foldLine(line, { ...at, column: at.indent }));
  }
  return `'${lines.join('')}'`;
}

/** Escapes contain no space, so folding does not break them. */
function printDoubleQuoted(text: string, at: Position): string {
  const escaped = text.replaceAll(unprintable, escapeOf);
  return `"${foldLine(escaped, { ...at, column: at.column + 1, marksSpaces: true })}"`;
}

interface Folding extends Position {
  /** A line may begin with spaces after a backslash; otherwise only single spaces are folded. */
  readonly marksSpaces?: boolean;
}

const bestWidth = 80;

/** After column 80 a space becomes a line break, except in keys. */
function foldLine(text: string, { indent, isKey, column, marksSpaces = false }: Folding): string {
  if (isKey) return text;
  const parts: string[] = [];
  let from = 0;
  let start = column;
  let at = text.indexOf(' ', Math.max(1, bestWidth + 1 - start));
  while (at > 0 && at < text.length - 1) {
    const isFollowed = text[at + 1] === ' ';
    const isFolded = text[at - 1] !== ' ' && (marksSpaces || !isFollowed);
    if (isFolded) {
      parts.push(text.slice(from, at), `\n${' '.repeat(indent)}${isFollowed ? '\\' : ''}`);
      from = at + 1;
      start = indent + (isFollowed ? 1 : 0);
    }
    at = text.indexOf(' ', Math.max(isFolded ? 1 : at + 1, from + bestWidth + 1 - start));
  }
  return parts.join('') + text.slice(from);
}

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

/** Non-printable characters and those beyond the BMP. */
const unprintable = /["\\]|[^\u0020-\u007e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/gu;

function escapeOf(char: string): string {
  const short = escapes[char];
  if (short !== undefined) return `\\${short}`;
  const code = char.codePointAt(0) ?? 0;
  const [sign, width] = code <= 0xff ? (['x', 2] as const) : code <= 0xffff ? (['u', 4] as const) : (['U', 8] as const);
  return `\\${sign}${code.toString(16).toUpperCase().padStart(width, '0')}`;
}

const base60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
const timestamp =
  /^[0-9]{4}-([0-9]{1,2})-([0-9]{1,2})(?:[Tt ]([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[.,][0-9]+)?)?(Z|[-+][0-9]{2}:[0-9]{2})?$/;

/**
 * Whether the text is a string without quotes, also to parsers with timestamps and base 60 numbers. Follows
 * go.yaml.in/yaml/v2 resolve.go and encode.go isBase60Float.
 */
const isPlainString = (text: string): boolean =>
  isPlainText(text) && (!/^[-+0-9]/.test(text) || !(base60.test(text) || isTimestamp(text)));

/** Follows go.yaml.in/yaml/v2 resolve.go parseTimestamp: RFC 3339 with a zone, a space without one, or a date alone. */
function isTimestamp(text: string): boolean {
  const [, month, day, hour, minute, second, zone] = timestamp.exec(text) ?? [];
  if (month === undefined || !isDay(text.slice(0, 4), Number(month), Number(day))) return false;
  const spaced = text.includes(' ');
  if (hour === undefined) return zone === undefined;
  if (spaced ? zone !== undefined : zone === undefined) return false;
  return Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
}

const isDay = (year: string, month: number, day: number): boolean => {
  const last = new Date(Date.UTC(Number(year), month, 0)).getUTCDate();
  return month >= 1 && month <= 12 && day >= 1 && day <= last;
};

/** Follows go.yaml.in/yaml/v2 emitterc.go yaml_emitter_analyze_scalar. */
interface ScalarForm {
  readonly multiline: boolean;
  readonly plain: boolean;
  readonly singleQuoted: boolean;
  readonly block: boolean;
}

const simple = /^[A-Za-z0-9_./][A-Za-z0-9_./-]*$/;
const free: ScalarForm = Object.freeze({ multiline: false, plain: true, singleQuoted: true, block: true });
const lineBreak = /[\n\r\u0085\u2028\u2029]/;
/** Go's emitter escapes tabs and characters of four bytes in UTF-8. */
const special = /[^\n\u0020-\u007e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;
const indicator = /^(?:---|\.\.\.|[#,[\]{}&*!|>'"%@`]|[?:-](?:[ \t]|$))|:(?:[ \t]|$)|[ \t\n\r\u0085\u2028\u2029\0]#/;

function scalarForm(text: string): ScalarForm {
  if (simple.test(text) && !text.startsWith('...')) return free;
  if (text === '') return { multiline: false, plain: true, singleQuoted: true, block: false };
  const multiline = lineBreak.test(text);
  const spaceAfterBreak = /[\n\r\u0085\u2028\u2029] /.test(text);
  const unsafe = special.test(text) || / [\n\r\u0085\u2028\u2029]/.test(text);
  const singleQuoted = !spaceAfterBreak && !unsafe;
  return {
    multiline,
    plain: singleQuoted && !multiline && !/^ | $/.test(text) && !indicator.test(text),
    singleQuoted,
    block: !unsafe && !text.endsWith(' '),
  };
}
