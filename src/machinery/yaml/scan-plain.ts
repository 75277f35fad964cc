import { code, isBlank, isBlankOrEnd, isBreak, isDocumentIndicator, peek, readBreak, readMatch } from './cursor.ts';
import { scanFault, skip } from './cursor.ts';
import type { Cursor, Work } from './cursor.ts';

/** Line breaks between two parts of a scalar: one becomes a space, more lose one. */
export function folded(first: string, others: string): string {
  if (first !== '\n') return first + others;
  return others === '' ? ' ' : others;
}

/** White space inside a scalar, stepped over. */
export interface Gap {
  /** Blanks on one line; they are kept. */
  blanks: string;
  /** The first line break; '' when there is none. */
  readonly first: string;
  readonly others: string;
}

/** Reads white space. `check` sees every blank behind a line break. */
export function* readGap(cursor: Cursor, check: () => void): Work<Gap> {
  let blanks = '';
  let first = '';
  let others = '';
  for (let char = peek(cursor); isBlank(char) || isBreak(char); char = peek(cursor)) {
    if (isBreak(char)) {
      if (first === '') first = readBreak(cursor);
      else others += readBreak(cursor);
    } else if (first === '') {
      blanks += readMatch(cursor, someBlanks);
    } else {
      check();
      skip(cursor);
    }
    if (others.length % 10_000 === 9999) yield;
  }
  return { blanks, first, others };
}

const someBlanks = /[ \t]+/y;

export interface PlainScalar {
  readonly value: string;
  readonly endsLine: boolean;
}

/**
 * Reads a plain scalar. Says whether it ended behind a line break: then a key may follow.
 * Follows goyaml.v2 scannerc.go yaml_parser_scan_plain_scalar.
 */
export function* readPlain(cursor: Cursor, indent: number, isFlow: boolean): Work<PlainScalar> {
  const parts: string[] = [];
  let lines = 0;
  let gap: Gap = { blanks: '', first: '', others: '' };
  const checkTab = (): void => {
    if (cursor.column < indent && peek(cursor) === code.tab)
      throw scanFault(cursor, 'found a tab character that violates indentation');
  };
  while (!isDocumentIndicator(cursor) && peek(cursor) !== code.hash) {
    const run = readRun(cursor, isFlow);
    if (run !== '') {
      parts.push(gap.first === '' ? gap.blanks : folded(gap.first, gap.others), run);
      gap = { blanks: '', first: '', others: '' };
    }
    const next = peek(cursor);
    if (!isBlank(next) && !isBreak(next)) break;
    gap = yield* readGap(cursor, checkTab);
    lines += 1;
    if (lines % 2000 === 0) yield;
    if (!isFlow && cursor.column < indent) break;
  }
  return { value: parts.join(''), endsLine: gap.first !== '' };
}

// With the blanks between words; not too many at once, since each takes memory of the engine.
const blockRun =
  /[^ \t\n\r\u0085\u2028\u2029:]+(?:[ \t]{1,100}[^ \t\n\r\u0085\u2028\u2029:#][^ \t\n\r\u0085\u2028\u2029:]*){0,100}/y;
const flowRun = /[^ \t\n\r\u0085\u2028\u2029:,?[\]{}]+/y;

/** Characters up to white space or an indicator that ends a plain scalar. */
function readRun(cursor: Cursor, isFlow: boolean): string {
  const from = cursor.at;
  for (;;) {
    readMatch(cursor, isFlow ? flowRun : blockRun);
    if (peek(cursor) !== code.colon || isBlankOrEnd(peek(cursor, 1))) return cursor.text.slice(from, cursor.at);
    skip(cursor);
  }
}
