/** A text that grows, and where its end stands. Follows go.yaml.in/yaml/v2 emitterc.go. */
export interface Emitter {
  /** What was written since it was taken last. */
  readonly take: () => string;
  /** A sign such as `-` or `:`; `leaves` says what it leaves of the line's beginning. */
  readonly indicator: (sign: string, options?: IndicatorOptions) => void;
  /** To a line of its own at `indent`, unless the end stands there already. */
  readonly toIndent: (indent: number) => void;
  readonly space: () => void;
  /** Characters without a line break. */
  readonly write: (chars: string) => void;
  readonly lineBreak: (char: string) => void;
  /** Ends the line on which a block of text is announced. */
  readonly openBlock: () => void;
  readonly endScalar: () => void;
  readonly column: () => number;
  readonly atLineStart: () => boolean;
  /** Called when all that was written so far has been taken; what it returns forgets what was written since. */
  readonly mark: () => () => void;
}

interface IndicatorOptions {
  /** A space comes before it where there is none. Default true. */
  readonly spaced?: boolean;
  /** The line still counts as only indented. */
  readonly keepsIndention?: boolean;
}

export function createEmitter(): Emitter {
  const parts: string[] = [];
  let column = 0;
  let whitespace = true;
  let indention = true;
  const put = (chars: string): void => {
    parts.push(chars);
    column += chars.length;
  };
  const lineBreak = (char: string): void => {
    parts.push(char);
    [column, indention] = [0, true];
  };
  const space = (): void => {
    if (!whitespace) put(' ');
  };
  return {
    take: () => parts.splice(0).join(''),
    column: () => column,
    atLineStart: () => indention,
    mark: () => {
      const before = [column, whitespace, indention] as const;
      return () => ([parts.length, column, whitespace, indention] = [0, ...before]);
    },
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
      parts.push(chars);
      column += columnsOf(chars);
      indention = false;
    },
  };
}

/** A character outside the first plane is one column. */
function columnsOf(chars: string): number {
  if (!/[\ud800-\udbff]/.test(chars)) return chars.length;
  return Array.from(chars).length;
}
