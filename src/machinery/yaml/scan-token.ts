import { code, isBlank, isBlankOrEnd, isBreak, isDocumentIndicator, peek, readBreak, readMatch } from './cursor.ts';
import { scanFault, skip, skipComment } from './cursor.ts';
import type { Work } from './cursor.ts';
import { readBlock } from './scan-block.ts';
import { readPlain } from './scan-plain.ts';
import { readQuoted } from './scan-quoted.ts';
import { add, closeBlocks, closeFlow, dropKey, isInFlow, isStillPossible, keepKey, openBlock } from './scan-state.ts';
import { openFlow, takeKey } from './scan-state.ts';
import type { Scan } from './scan-state.ts';
import { readAnchor, readDirective, readTag } from './scan-tag.ts';
import type { SimpleToken } from './token.ts';

/** Scans the next token, or more when blocks end here. A long one yields at times. Follows goyaml.v2 scannerc.go. */
export function* scanToken(scan: Scan): Work<void> {
  yield* skipToToken(scan);
  closeBlocks(scan, scan.column);
  const char = peek(scan);
  if (char === 0) return endStream(scan);
  if (scan.column === 0 && char === code.percent) return scanDirective(scan);
  if (isDocumentIndicator(scan)) return scanDocument(scan, char);
  const take = takerOf(scan, char);
  if (!take) throw scanFault(scan, 'found character that cannot start any token');
  const work = take(scan, char);
  if (work) yield* work;
}

/** Tabs do not count where an indentation may be. */
function* skipToToken(scan: Scan): Work<void> {
  for (let lines = 1; ; lines += 1) {
    readMatch(scan, isInFlow(scan) || !scan.isKeyAllowed ? blanks : spaces);
    skipComment(scan);
    if (!isBreak(peek(scan))) return;
    readBreak(scan);
    if (!isInFlow(scan)) scan.isKeyAllowed = true;
    if (lines % 10_000 === 0) yield;
  }
}

const spaces = / */y;
const blanks = /[ \t]*/y;

type Take = (scan: Scan, char: number) => Work<void> | void;

const anywhere: Readonly<Record<string, Take>> = {
  '[': (scan) => scanOpening(scan, '['),
  '{': (scan) => scanOpening(scan, '{'),
  ']': (scan) => scanClosing(scan, ']'),
  '}': (scan) => scanClosing(scan, '}'),
  ',': (scan) => {
    dropKey(scan);
    addIndicator(scan, ',', true);
  },
  '*': (scan) => scanName(scan, 'alias'),
  '&': (scan) => scanName(scan, 'anchor'),
  '!': scanTag,
  "'": scanQuoted,
  '"': scanQuoted,
};

/** What stands for itself only before white space; `?` and `:` always do in a flow collection. */
const beforeSpace: Readonly<Record<string, Take>> = { '-': scanEntry, '?': scanKey, ':': scanValue };

function takerOf(scan: Scan, char: number): Take | undefined {
  const letter = String.fromCharCode(char);
  const always = anywhere[letter];
  if (always) return always;
  const isFlow = isInFlow(scan);
  const indicating = beforeSpace[letter];
  if (indicating) return isBlankOrEnd(peek(scan, 1)) || (isFlow && char !== code.dash) ? indicating : scanPlain;
  if (letter === '|' || letter === '>') return isFlow ? undefined : scanBlock;
  return isBlank(char) || '#%@`'.includes(letter) ? undefined : scanPlain;
}

function endAll(scan: Scan): void {
  closeBlocks(scan, -1);
  dropKey(scan);
  scan.isKeyAllowed = false;
}

function endStream(scan: Scan): void {
  if (scan.column > 0) {
    scan.column = 0;
    scan.line += 1;
  }
  endAll(scan);
  add(scan, { type: 'stream-end', line: scan.line });
}

function scanDirective(scan: Scan): void {
  endAll(scan);
  const { line } = scan;
  add(scan, { type: 'directive', directive: readDirective(scan), line });
}

function scanDocument(scan: Scan, char: number): void {
  endAll(scan);
  add(scan, { type: char === code.dash ? 'document-start' : 'document-end', line: scan.line });
  skip(scan, 3);
}

/** Adds the token of one character, and steps over it. */
function addIndicator(scan: Scan, type: SimpleToken, isKeyAllowed: boolean): void {
  scan.isKeyAllowed = isKeyAllowed;
  add(scan, { type, line: scan.line });
  skip(scan);
}

function scanOpening(scan: Scan, type: '[' | '{'): void {
  keepKey(scan);
  openFlow(scan);
  addIndicator(scan, type, true);
}

function scanClosing(scan: Scan, type: ']' | '}'): void {
  dropKey(scan);
  closeFlow(scan);
  addIndicator(scan, type, false);
}

/** In a block, an indicator may stand only where a key may. */
function beginEntry(scan: Scan, type: 'list-start' | 'map-start', what: string): void {
  if (isInFlow(scan)) return;
  if (!scan.isKeyAllowed) throw scanFault(scan, `${what} are not allowed in this context`);
  openBlock(scan, type, scan);
}

function scanEntry(scan: Scan): void {
  beginEntry(scan, 'list-start', 'block sequence entries');
  dropKey(scan);
  addIndicator(scan, 'entry', true);
}

function scanKey(scan: Scan): void {
  beginEntry(scan, 'map-start', 'mapping keys');
  dropKey(scan);
  addIndicator(scan, 'key', !isInFlow(scan));
}

function scanValue(scan: Scan): void {
  const key = scan.keys.at(-1);
  if (isStillPossible(scan, key)) {
    takeKey(scan, key);
    return addIndicator(scan, 'value', false);
  }
  beginEntry(scan, 'map-start', 'mapping values');
  addIndicator(scan, 'value', !isInFlow(scan));
}

/** What may be a key, or the beginning of one; no other key may follow it. */
function beginKey(scan: Scan): number {
  keepKey(scan);
  scan.isKeyAllowed = false;
  return scan.line;
}

function scanName(scan: Scan, type: 'anchor' | 'alias'): void {
  const line = beginKey(scan);
  add(scan, { type, name: readAnchor(scan), line });
}

function scanTag(scan: Scan): void {
  const line = beginKey(scan);
  add(scan, { type: 'tag', tag: readTag(scan), line });
}

function* scanBlock(scan: Scan): Work<void> {
  dropKey(scan);
  scan.isKeyAllowed = true;
  const { line } = scan;
  add(scan, { type: 'scalar', value: yield* readBlock(scan, scan.indent), isPlain: false, line });
}

function* scanQuoted(scan: Scan, quote: number): Work<void> {
  const line = beginKey(scan);
  add(scan, { type: 'scalar', value: yield* readQuoted(scan, quote), isPlain: false, line });
}

function* scanPlain(scan: Scan): Work<void> {
  const line = beginKey(scan);
  const { value, endsLine } = yield* readPlain(scan, scan.indent + 1, isInFlow(scan));
  if (endsLine) scan.isKeyAllowed = true;
  add(scan, { type: 'scalar', value, isPlain: true, line });
}
