import type { Tone } from './about-decision.ts';

/** The tones of the model, `strong` and `dim`. */
export type Style = Tone | 'strong' | 'dim';

export type Paint = (style: Style, text: string) => string;

export const plain: Paint = (_style, text) => text;

/** Lines of text, wrapped to the width of the terminal. */
export interface Page {
  readonly painted: Paint;
  /** Adds a line unchanged. */
  readonly line: (text: string, style?: Style) => void;
  /** Adds a sentence at `indent`; further lines start at `hang`. */
  readonly item: (text: string, style?: Style, indent?: number, hang?: number) => void;
  /** Adds `  label: text`; further lines start under the text. */
  readonly hanging: (label: string, text: string, style: Style) => void;
  readonly text: () => string;
}

/** `width` in columns; Infinity does not wrap. */
export function createPage({ width, paint }: { readonly width: number; readonly paint: Paint }): Page {
  const lines: string[] = [];
  const add = (text: string, style?: Style): void => {
    lines.push(style === undefined ? text : paint(style, text));
  };
  const item: Page['item'] = (text, style, indent = 2, hang = indent + 2) => {
    wrapped(text, width, indent, hang).forEach((line) => add(line, style));
  };
  return {
    painted: paint,
    line: add,
    item,
    hanging: (label, text, style) => item(`${label}: ${text}`, style, 2, 4),
    text: () => lines.join('\n'),
  };
}

// Colour codes have no width.
const codes = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g');

const widthOf = (text: string): number => text.replaceAll(codes, '').length;

/** The first line starts after `indent` blanks, the others after `hang`. */
function wrapped(text: string, width: number, indent: number, hang: number): readonly string[] {
  const lines: string[] = [];
  let line = ' '.repeat(indent);
  let isFresh = true;
  // Two blanks in a row are part of the layout.
  for (const word of text.split(/(?<=\S) (?=\S)/)) {
    const candidate = isFresh ? `${line}${word}` : `${line} ${word}`;
    if (isFresh || widthOf(candidate) <= width) {
      line = candidate;
    } else {
      lines.push(line);
      line = `${' '.repeat(hang)}${word}`;
    }
    isFresh = false;
  }
  return [...lines, line];
}
