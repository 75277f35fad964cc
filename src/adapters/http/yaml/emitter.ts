import { collectPieces } from '../list-pieces.ts';

/** A text that grows, and where its end stands. Follows go.yaml.in/yaml/v2 emitterc.go. */
export interface Emitter {
  /** What was written, in UTF-8. */
  readonly pieces: () => readonly Buffer[];
  /** So much was written since this said so last that others are to be let in. */
  readonly isDue: () => boolean;
  /** A sign such as `-` or `:`; `leaves` says what it leaves of the line's beginning. */
  readonly indicator: (sign: string, options?: IndicatorOptions) => void;
  /** To a line of its own at `indent`, unless the end stands there already. */
  readonly toIndent: (indent: number) => void;
  readonly space: () => void;
  /** Characters without a line break, each of them a column: those outside the first plane are written as escapes. */
  readonly write: (chars: string) => void;
  readonly lineBreak: (char: string) => void;
  /** Ends the line on which a block of text is announced. */
  readonly openBlock: () => void;
  readonly endScalar: () => void;
  readonly column: () => number;
  readonly atLineStart: () => boolean;
}

interface IndicatorOptions {
  /** A space comes before it where there is none. Default true. */
  readonly spaced?: boolean;
  /** The line still counts as only indented. */
  readonly keepsIndention?: boolean;
}

/** So many parts are written in a moment. */
const manyParts = 1024;

function collectParts(): { readonly add: (part: string) => void } & Pick<Emitter, 'pieces' | 'isDue'> {
  const pieces = collectPieces();
  let parts: string[] = [];
  const join = (): void => {
    pieces.add(parts.join(''));
    parts = [];
  };
  return {
    add: (part) => parts.push(part),
    pieces: () => {
      join();
      return pieces.all();
    },
    isDue: () => {
      if (parts.length < manyParts) return false;
      join();
      return true;
    },
  };
}

export function createEmitter(): Emitter {
  const { add, pieces, isDue } = collectParts();
  let column = 0;
  let whitespace = true;
  let indention = true;
  const put = (chars: string): void => {
    add(chars);
    column += chars.length;
  };
  const lineBreak = (char: string): void => {
    add(char);
    [column, indention] = [0, true];
  };
  const space = (): void => {
    if (!whitespace) put(' ');
  };
  return {
    pieces,
    isDue,
    column: () => column,
    atLineStart: () => indention,
    space,
    lineBreak,
    openBlock: () => {
      lineBreak('\n');
      whitespace = true;
    },
    endScalar: () => ([whitespace, indention] = [false, false]),
    indicator: (sign, { spaced = true, keepsIndention = false } = {}) => {
      if (spaced) space();
      put(sign);
      whitespace = false;
      indention &&= keepsIndention;
    },
    toIndent: (indent) => {
      if (!indention || column > indent || (column === indent && !whitespace)) lineBreak('\n');
      if (column < indent) put(' '.repeat(indent - column));
      [whitespace, indention] = [true, true];
    },
    write: (chars) => {
      put(chars);
      indention = false;
    },
  };
}
