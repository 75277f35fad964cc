import { code, isBlank, isBreak, isBreakOrEnd, isDigit, peek, readBreak, readMatch, restOfLine } from './cursor.ts';
import { scanFault, skip, skipBlanks, skipComment } from './cursor.ts';
import type { Cursor, Work } from './cursor.ts';
import { folded } from './scan-plain.ts';

/**
 * Reads a literal (`|`) or folded (`>`) scalar; the cursor is at the indicator, `parent` is the indentation around it.
 * Follows goyaml.v2 scannerc.go yaml_parser_scan_block_scalar.
 */
export function* readBlock(cursor: Cursor, parent: number): Work<string> {
  const isLiteral = peek(cursor) !== code.greater;
  skip(cursor);
  const { chomping, increment } = readHeader(cursor);
  const given = increment === 0 ? 0 : Math.max(parent, 0) + increment;
  let breaks = yield* readBreaks(cursor, given, parent);
  const { indent } = breaks;
  const parts: string[] = [];
  let lineBreak = '';
  let wasIndented = false;
  while (cursor.column === indent && peek(cursor) !== 0) {
    const isIndented = isBlank(peek(cursor));
    const isFolded = !isLiteral && lineBreak === '\n' && !wasIndented && !isIndented;
    parts.push(isFolded ? folded(lineBreak, breaks.text) : lineBreak + breaks.text, readMatch(cursor, restOfLine));
    wasIndented = isIndented;
    lineBreak = isBreak(peek(cursor)) ? readBreak(cursor) : '';
    breaks = yield* readBreaks(cursor, indent, parent);
    if (parts.length % 20_000 === 0) yield;
  }
  return parts.join('') + chomped(chomping, lineBreak, breaks.text);
}

/** What is left of the line breaks at the end. */
function chomped(chomping: number, lineBreak: string, others: string): string {
  if (chomping === code.dash) return '';
  return chomping === code.plus ? lineBreak + others : lineBreak;
}

/** How line breaks at the end are treated, and the indentation, in either order, then the end of the line. */
function readHeader(cursor: Cursor): { readonly chomping: number; readonly increment: number } {
  let chomping = readChomping(cursor);
  const increment = readIncrement(cursor);
  if (chomping === 0 && increment > 0) chomping = readChomping(cursor);
  skipBlanks(cursor);
  skipComment(cursor);
  if (!isBreakOrEnd(peek(cursor))) throw scanFault(cursor, 'did not find expected comment or line break');
  if (isBreak(peek(cursor))) readBreak(cursor);
  return { chomping, increment };
}

function readChomping(cursor: Cursor): number {
  const char = peek(cursor);
  if (char !== code.plus && char !== code.dash) return 0;
  skip(cursor);
  return char;
}

function readIncrement(cursor: Cursor): number {
  if (!isDigit(peek(cursor))) return 0;
  const increment = peek(cursor) - 0x30;
  if (increment === 0) throw scanFault(cursor, 'found an indentation indicator equal to 0');
  skip(cursor);
  return increment;
}

interface Breaks {
  readonly text: string;
  readonly indent: number;
}

/** Empty lines and the indentation behind them; an indentation of 0 is found out here. */
function* readBreaks(cursor: Cursor, given: number, parent: number): Work<Breaks> {
  const breaks: string[] = [];
  let widest = 0;
  for (;;) {
    while ((given === 0 || cursor.column < given) && peek(cursor) === code.space) skip(cursor);
    widest = Math.max(widest, cursor.column);
    if ((given === 0 || cursor.column < given) && peek(cursor) === code.tab)
      throw scanFault(cursor, 'found a tab character where an indentation space is expected');
    if (!isBreak(peek(cursor))) break;
    breaks.push(readBreak(cursor));
    if (breaks.length % 10_000 === 0) yield;
  }
  return { text: breaks.join(''), indent: given === 0 ? Math.max(widest, parent + 1, 1) : given };
}
