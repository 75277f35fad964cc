import type { Tone } from './about-decision.ts';

/** How a piece of text is shown: the tones of the model, `strong` and `dim`. */
export type Style = Tone | 'strong' | 'dim';

/** Puts colour around a text. */
export type Paint = (style: Style, text: string) => string;

export const plain: Paint = (_style, text) => text;

/** A text of lines, none wider than the terminal unless a word is. */
export interface Page {
  readonly painted: Paint;
  /** A line as it is. */
  readonly line: (text: string, style?: Style) => void;
  /** A sentence, indented; what does not fit goes on below, at `hang` (the same indent without it). */
  readonly item: (text: string, style?: Style, indent?: number, hang?: number) => void;
  /** `  label: text`, going on under the text. */
  readonly hanging: (label: string, text: string, style: Style) => void;
  readonly text: () => string;
}

/** An empty page. `width` in columns; Infinity: lines are as long as they are. */
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

// Colours take no room on the screen.
const codes = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g');

const widthOf = (text: string): number => text.replaceAll(codes, '').length;

/** The text in lines of this width: the first after `indent` blanks, the others after `hang`. */
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
