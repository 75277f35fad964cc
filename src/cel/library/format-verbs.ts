/** What a clause of a format string complains when its argument has the wrong type. Follows cel-go ext/formatting.go. */
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

/** A piece of a format string: plain text, or a clause with its precision. */
export type FormatPiece = string | { readonly verb: string; readonly precision: number };

const defaultPrecision = 6;

/** The pieces of a format string, or the complaint about it. Follows cel-go ext/formatting.go. */
export function readFormat(format: string): readonly FormatPiece[] | { readonly error: string } {
  const pieces: FormatPiece[] = [];
  let last = 0;
  for (const match of format.matchAll(/%(?:%|(\.\d*)?(.)?)/gsu)) {
    const [clause, precision, verb] = match;
    pieces.push(format.slice(last, match.index));
    last = match.index + clause.length;
    if (clause === '%%') {
      pieces.push('%');
      continue;
    }
    if (verb === undefined) return { error: 'unexpected end of string' };
    if (!verbTexts.has(verb) && verb !== 'X') {
      return { error: `could not parse formatting clause: unrecognized formatting clause "${verb}"` };
    }
    pieces.push({ verb, precision: precision === undefined ? defaultPrecision : Number(precision.slice(1)) });
  }
  pieces.push(format.slice(last));
  return pieces;
}

export const tooFewArguments = (index: number): string => `index ${index} out of range`;

export const tooManyArguments = (expected: number, got: number): string =>
  `too many arguments supplied to string.format (expected ${expected}, got ${got})`;
