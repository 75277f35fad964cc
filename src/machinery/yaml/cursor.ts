/** What stops the reading of a YAML text. */
export class YamlFault extends Error {}

/** What YAML can say and JSON cannot. */
export class JsonFault extends YamlFault {}

/** A fault as Go names its place: `line 3: …`; 0 for the first line, which is not named. */
export const faultAt = (line: number, problem: string): YamlFault =>
  new YamlFault(line === 0 ? problem : `line ${line}: ${problem}`);

/** Work that may be long: it yields at times, so that others can be let in between. */
export type Work<T> = Generator<undefined, T>;

/** A place in a text. Line and column count from 0. */
export interface Cursor {
  readonly text: string;
  at: number;
  line: number;
  column: number;
}

export const code = {
  tab: 0x09,
  lineFeed: 0x0a,
  carriageReturn: 0x0d,
  space: 0x20,
  doubleQuote: 0x22,
  hash: 0x23,
  percent: 0x25,
  singleQuote: 0x27,
  plus: 0x2b,
  comma: 0x2c,
  dash: 0x2d,
  dot: 0x2e,
  colon: 0x3a,
  less: 0x3c,
  greater: 0x3e,
  question: 0x3f,
  openBracket: 0x5b,
  backslash: 0x5c,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  closeBrace: 0x7d,
  nextLine: 0x85,
  lineSeparator: 0x2028,
  paragraphSeparator: 0x2029,
} as const;

/** The character `ahead` of the cursor; 0 behind the end. */
export function peek({ text, at }: Cursor, ahead = 0): number {
  return at + ahead < text.length ? text.charCodeAt(at + ahead) : 0;
}

export const isBlank = (char: number): boolean => char === code.space || char === code.tab;

export const isBreak = (char: number): boolean =>
  char === code.lineFeed ||
  char === code.carriageReturn ||
  char === code.nextLine ||
  char === code.lineSeparator ||
  char === code.paragraphSeparator;

/** A line break or the end. */
export const isBreakOrEnd = (char: number): boolean => char === 0 || isBreak(char);

/** A blank, a line break or the end. */
export const isBlankOrEnd = (char: number): boolean => isBlank(char) || isBreakOrEnd(char);

export const isDigit = (char: number): boolean => char >= 0x30 && char <= 0x39;

/** Steps over characters of one line. */
export function skip(cursor: Cursor, count = 1): void {
  cursor.at += count;
  cursor.column += count;
}

/** Steps over a line break, and returns what it stands for: only LS and PS stay what they are. */
export function readBreak(cursor: Cursor): string {
  const char = peek(cursor);
  const width = char === code.carriageReturn && peek(cursor, 1) === code.lineFeed ? 2 : 1;
  cursor.at += width;
  cursor.line += 1;
  cursor.column = 0;
  return char === code.lineSeparator || char === code.paragraphSeparator ? String.fromCharCode(char) : '\n';
}

/** What the sticky expression matches here, stepped over; it must not match line breaks. '' when it does not match. */
export function readMatch(cursor: Cursor, expression: RegExp): string {
  expression.lastIndex = cursor.at;
  const [match] = expression.exec(cursor.text) ?? [''];
  skip(cursor, match.length);
  return match;
}

export function skipBlanks(cursor: Cursor): void {
  while (isBlank(peek(cursor))) skip(cursor);
}

/** Steps over a comment, up to the end of its line. */
export function skipComment(cursor: Cursor): void {
  if (peek(cursor) === code.hash) readMatch(cursor, restOfLine);
}

export const restOfLine = /[^\n\r\u0085\u2028\u2029]*/y;

/** Is this `---` or `...` at the beginning of a line? */
export function isDocumentIndicator(cursor: Cursor): boolean {
  const char = peek(cursor);
  return (
    cursor.column === 0 &&
    (char === code.dash || char === code.dot) &&
    peek(cursor, 1) === char &&
    peek(cursor, 2) === char &&
    isBlankOrEnd(peek(cursor, 3))
  );
}

/** A fault of the scanner, at the cursor. */
export const scanFault = ({ line }: Cursor, problem: string): YamlFault => faultAt(line === 0 ? 0 : line + 1, problem);
