import { codePointLength } from './code-points.ts';

/** An expression's text with its lines, in code points: columns and carets count what people see. */
export interface Source {
  readonly text: string;
  readonly lines: readonly string[];
}

/** A place in the text. `line` counts from 1, `column` from 0; no place is -1, -1. */
export interface CelLocation {
  readonly line: number;
  readonly column: number;
}

export const noLocation: CelLocation = { line: -1, column: -1 };

export const createSource = (text: string): Source => ({ text, lines: text === '' ? [] : text.split('\n') });

/** The place of an offset, both counted in code points. */
export function locationOf(source: Source, offset: number): CelLocation {
  let start = 0;
  for (const [index, line] of source.lines.entries()) {
    const length = codePointLength(line) + 1;
    if (offset < start + length) return { line: index + 1, column: offset - start };
    start += length;
  }
  return { line: Math.max(1, source.lines.length), column: Math.max(0, offset - start) };
}
