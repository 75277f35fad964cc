import { isOfUnits } from '../syntax/code-points.ts';

/** The error of a clause of a format string whose argument has the wrong type. Follows cel-go ext/formatting.go. */
export const wrongArgument = (verb: string, type: string): string =>
  `${verbTexts.get(verb.toLowerCase()) ?? ''}, was given ${type}`;

const verbTexts: ReadonlyMap<string, string> = new Map([
  [
    's',
    'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  ],
  ['d', 'decimal clause can only be used on integers'],
  ['f', 'fixed-point clause can only be used on doubles'],
  ['e', 'scientific clause can only be used on doubles'],
  ['b', 'only integers and bools can be formatted as binary'],
  ['x', 'only integers, byte buffers, and strings can be formatted as hex'],
  ['o', 'octal clause can only be used on integers'],
]);

/** A piece of a format string: plain text, a clause with its precision, or an error, which ends it. */
export type FormatPiece = string | FormatClause | FormatFault;

export interface FormatClause {
  readonly verb: string;
  readonly precision: number;
}

export interface FormatFault {
  readonly error: string;
  /** The clause was begun: its argument is evaluated first. */
  readonly takesArgument: boolean;
}

const defaultPrecision = 6;

/** The plain text from a place on, and the piece after it, undefined at the end; `end` is where the next one begins. */
export interface FormatStep {
  readonly before: string;
  readonly piece: FormatPiece | undefined;
  readonly end: number;
}

const clauses = /%(?:%|(\.\d*)?(.)?)/gsu;

/** Reads a format string from left to right. Follows cel-go ext/formatting.go parseFormatString. */
export function nextPiece(format: string, from: number): FormatStep {
  clauses.lastIndex = from;
  const match = clauses.exec(format);
  if (match === null) return { before: format.slice(from), piece: undefined, end: format.length };
  const [clause, precision, verb] = match;
  const piece = clause === '%%' ? '%' : parseClause(precision, verb);
  return { before: format.slice(from, match.index), piece, end: match.index + clause.length };
}

/** All pieces, up to one that cannot be read. */
export function readFormat(format: string): readonly FormatPiece[] {
  const pieces: FormatPiece[] = [];
  for (let from = 0; ;) {
    const { before, piece, end } = nextPiece(format, from);
    pieces.push(before);
    if (piece === undefined) return pieces;
    pieces.push(piece);
    if (typeof piece === 'object' && 'error' in piece) return pieces;
    from = end;
  }
}

function parseClause(precision: string | undefined, verb: string | undefined): FormatClause | FormatFault {
  if (verb === undefined && precision === undefined) return { error: 'unexpected end of string', takesArgument: false };
  if (verb === undefined)
    return clauseFault('error while parsing precision: could not find end of precision specifier');
  if (precision === '.') {
    const text = 'strconv.Atoi: parsing "": invalid syntax';
    return clauseFault(`error while parsing precision: error while converting precision to integer: ${text}`);
  }
  if (!verbTexts.has(verb) && verb !== 'X') return clauseFault(`unrecognized formatting clause "${verb}"`);
  return { verb, precision: precision === undefined ? defaultPrecision : Number(precision.slice(1)) };
}

const clauseFault = (cause: string): FormatFault => ({
  error: `could not parse formatting clause: ${cause}`,
  takesArgument: true,
});

export const tooFewArguments = (index: number): string => `index ${index} out of range`;

export const tooManyArguments = (expected: number, got: number): string =>
  `too many arguments supplied to string.format (expected ${expected}, got ${got})`;

const escapes: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

/** The text in quotes, with the escapes that a CEL string literal has. Follows cel-go ext/strings.go. */
export const quote = (text: string): string => `"${escapeText(replaceSurrogates(text))}"`;

const replaceSurrogates = (text: string): string =>
  isOfUnits(text) ? text : text.replaceAll(/\p{Surrogate}/gu, '\ufffd');

const escapeText = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- they have escapes of their own
  text.replaceAll(/[\u0007\b\f\n\r\t\v\\"]/g, (char) => escapes[char] ?? char);
