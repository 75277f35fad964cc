import type { Tone } from './about-decision.ts';

/** The tones of the model, `strong` and `dim`. */
export type Style = Tone | 'strong' | 'dim';

export type Paint = (style: Style, text: string) => string;

export const plain: Paint = (_style, text) => text;

/** The style of all cells, or only of the second. */
interface CellStyle {
  readonly whole?: Style;
  readonly second?: Style;
}

/** Lines of text, wrapped to the width of the terminal. */
export interface Page {
  readonly painted: Paint;
  readonly width: number;
  readonly line: (text: string, style?: Style) => void;
  /** Adds a sentence at `indent`; further lines start at `hang`. */
  readonly item: (text: string, style?: Style, indent?: number, hang?: number) => void;
  /** Adds a sentence that begins with `hint:`. */
  readonly hint: (text: string, style?: Style) => void;
  /** Adds one row of cells, each cut to its width. */
  readonly columns: (cells: readonly string[], widths: readonly number[], style: CellStyle) => void;
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
    wrapText(text, width, indent, hang).forEach((line) => add(line, style));
  };
  const columns: Page['columns'] = (cells, widths, { whole, second }) => {
    const texts = cells.map((cell, at) => {
      const text = cutText(cell, widths[at] ?? Infinity).padEnd(widths[at] ?? 0);
      return at === 1 && second !== undefined ? paint(second, text) : text;
    });
    add(`  ${texts.join('  ').trimEnd()}`, whole);
  };
  return {
    painted: paint,
    width,
    columns,
    line: add,
    item,
    hint: (text, style) => item(`${paint('strong', 'hint:')} ${text}`, style, 4),
    hanging: (label, text, style) => item(`${label}: ${text}`, style, 2, 4),
    text: () => lines.join('\n'),
  };
}

/** Ends with `…` when it is cut. */
export const cutText = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, Math.max(width - 1, 0)).trimEnd()}…`;

// Colour codes have no width.
const codes = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g');

const visibleWidth = (text: string): number => text.replaceAll(codes, '').length;

/** The first line starts after `indent` blanks, the others after `hang`. */
function wrapText(text: string, width: number, indent: number, hang: number): readonly string[] {
  const lines: string[] = [];
  let line = ' '.repeat(indent);
  let isFresh = true;
  // Two blanks in a row are part of the layout.
  for (const word of text.split(/(?<=\S) (?=\S)/)) {
    const candidate = isFresh ? `${line}${word}` : `${line} ${word}`;
    if (isFresh || visibleWidth(candidate) <= width) {
      line = candidate;
    } else {
      lines.push(line);
      line = `${' '.repeat(hang)}${word}`;
    }
    isFresh = false;
  }
  return [...lines, line];
}
