import { code, isBlank, isBlankOrEnd, isBreak, isDocumentIndicator, peek, readBreak } from './cursor.ts';
import { scanFault, skip, skipComment } from './cursor.ts';
import type { Cursor } from './cursor.ts';
import { readBlock } from './scan-block.ts';
import { readPlain } from './scan-plain.ts';
import { readQuoted } from './scan-quoted.ts';
import { readAnchor, readDirective, readTag } from './scan-tag.ts';
import type { Directive, Tag } from './scan-tag.ts';

export type Token = { readonly line: number } & (
  | { readonly type: SimpleToken }
  | { readonly type: 'anchor' | 'alias'; readonly name: string }
  | { readonly type: 'tag'; readonly tag: Tag }
  | { readonly type: 'directive'; readonly directive: Directive }
  | { readonly type: 'scalar'; readonly value: string; readonly isPlain: boolean }
);

export type SimpleToken =
  | ('list-start' | 'map-start' | 'block-end' | 'entry' | 'key' | 'value')
  | ('[' | ']' | '{' | '}' | ',')
  | ('document-start' | 'document-end' | 'stream-end');

/** The tokens of a text, one after the other; it throws a YamlFault. */
export interface Scanner {
  readonly peek: () => Token;
  readonly next: () => void;
}

/** A place where a key without `?` may begin. */
interface SimpleKey {
  isPossible: boolean;
  readonly isRequired: boolean;
  readonly token: number;
  readonly at: number;
  readonly line: number;
  readonly column: number;
}

interface Scan extends Cursor {
  /** Scanned and not taken yet, from `head` on. */
  tokens: Token[];
  head: number;
  /** How many were taken. */
  taken: number;
  indent: number;
  readonly indents: number[];
  isKeyAllowed: boolean;
  /** One for each flow collection that is open, and one for the block around them. */
  readonly keys: (SimpleKey | undefined)[];
  readonly keyOfToken: Map<number, SimpleKey>;
}

const deepest = 10_000;
const tooDeep = `exceeded max depth of ${deepest}`;

/** Follows goyaml.v2 scannerc.go: its limits (10000 levels, keys of 1024 characters) and the texts of its errors. */
export function createScanner(text: string): Scanner {
  const scan: Scan = {
    text,
    at: text.startsWith('\ufeff') ? 1 : 0,
    line: 0,
    column: 0,
    tokens: [],
    head: 0,
    taken: 0,
    indent: -1,
    indents: [],
    isKeyAllowed: true,
    keys: [undefined],
    keyOfToken: new Map(),
  };
  return {
    peek: () => {
      for (;;) {
        const first = scan.tokens[scan.head];
        // The first token may still turn out to be part of a key.
        if (first && !isStillPossible(scan, scan.keyOfToken.get(scan.taken))) return first;
        scanNext(scan);
      }
    },
    next: () => {
      scan.head += 1;
      scan.taken += 1;
      if (scan.head < scan.tokens.length && scan.head < 1000) return;
      scan.tokens = scan.tokens.slice(scan.head);
      scan.head = 0;
    },
  };
}

const isInFlow = (scan: Scan): boolean => scan.keys.length > 1;

const add = (scan: Scan, token: Token): void => void scan.tokens.push(token);

function scanNext(scan: Scan): void {
  skipToToken(scan);
  closeBlocks(scan, scan.column);
  const char = peek(scan);
  if (char === 0) return endStream(scan);
  if (scan.column === 0 && char === code.percent) return scanDirective(scan);
  if (isDocumentIndicator(scan)) return scanDocument(scan, char);
  const scanToken = scannerOf(scan, char);
  if (!scanToken) throw scanFault(scan, 'found character that cannot start any token');
  scanToken(scan, String.fromCharCode(char));
}

type ScanToken = (scan: Scan, char: string) => void;

const anywhere: Readonly<Record<string, ScanToken>> = {
  '[': openFlow,
  '{': openFlow,
  ']': closeFlow,
  '}': closeFlow,
  ',': scanComma,
  '*': scanAnchor,
  '&': scanAnchor,
  '!': scanTag,
  "'": scanQuoted,
  '"': scanQuoted,
};

/** What stands for itself only before white space; `?` and `:` always do in a flow collection. */
const indicators: Readonly<Record<string, ScanToken>> = { '-': scanEntry, '?': scanKey, ':': scanValue };

function scannerOf(scan: Scan, char: number): ScanToken | undefined {
  const letter = String.fromCharCode(char);
  const always = Object.hasOwn(anywhere, letter) ? anywhere[letter] : undefined;
  if (always) return always;
  const indicator = Object.hasOwn(indicators, letter) ? indicators[letter] : undefined;
  const isFlow = isInFlow(scan);
  if (indicator) {
    return isBlankOrEnd(peek(scan, 1)) || (isFlow && char !== code.dash) ? indicator : scanPlain;
  }
  if (letter === '|' || letter === '>') return isFlow ? undefined : scanBlock;
  return isBlank(char) || '#%@`'.includes(letter) ? undefined : scanPlain;
}

/** Tabs do not count where an indentation may be. */
function skipToToken(scan: Scan): void {
  for (;;) {
    let char = peek(scan);
    while (char === code.space || (char === code.tab && (isInFlow(scan) || !scan.isKeyAllowed))) {
      skip(scan);
      char = peek(scan);
    }
    skipComment(scan);
    if (!isBreak(peek(scan))) return;
    readBreak(scan);
    if (!isInFlow(scan)) scan.isKeyAllowed = true;
  }
}

/** May the key still be followed by its colon? It is on one line, and at most 1024 characters long. */
function isStillPossible(scan: Scan, key: SimpleKey | undefined): key is SimpleKey {
  if (!key?.isPossible) return false;
  if (key.line === scan.line && key.at + 1024 >= scan.at) return true;
  if (key.isRequired) throw scanFault(scan, "could not find expected ':'");
  key.isPossible = false;
  return false;
}

function keepKey(scan: Scan): void {
  if (!scan.isKeyAllowed) return;
  const { at, line, column } = scan;
  const token = scan.taken + scan.tokens.length - scan.head;
  const isRequired = !isInFlow(scan) && scan.indent === column;
  dropKey(scan);
  const key: SimpleKey = { isPossible: true, isRequired, token, at, line, column };
  scan.keys[scan.keys.length - 1] = key;
  scan.keyOfToken.set(token, key);
}

function dropKey(scan: Scan): void {
  const key = scan.keys.at(-1);
  if (!key?.isPossible) return;
  if (key.isRequired) throw scanFault(scan, "could not find expected ':'");
  key.isPossible = false;
  scan.keyOfToken.delete(key.token);
}

/** Begins a block collection if the column is further in; `before` is the number of the token it stands before. */
function openBlock(scan: Scan, type: 'list-start' | 'map-start', { line, column }: Place, before?: number): void {
  if (isInFlow(scan) || scan.indent >= column) return;
  scan.indents.push(scan.indent);
  scan.indent = column;
  if (scan.indents.length > deepest) throw scanFault(scan, tooDeep);
  if (before === undefined) add(scan, { type, line });
  else scan.tokens.splice(scan.head + before - scan.taken, 0, { type, line });
}

type Place = Pick<Cursor, 'line' | 'column'>;

function closeBlocks(scan: Scan, column: number): void {
  if (isInFlow(scan)) return;
  while (scan.indent > column) {
    add(scan, { type: 'block-end', line: scan.line });
    scan.indent = scan.indents.pop() ?? -1;
  }
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

function openFlow(scan: Scan, char: string): void {
  keepKey(scan);
  scan.keys.push(undefined);
  if (scan.keys.length - 1 > deepest) throw scanFault(scan, tooDeep);
  addIndicator(scan, char === '[' ? '[' : '{', true);
}

function closeFlow(scan: Scan, char: string): void {
  dropKey(scan);
  if (isInFlow(scan)) scan.keys.pop();
  addIndicator(scan, char === ']' ? ']' : '}', false);
}

function scanComma(scan: Scan): void {
  dropKey(scan);
  addIndicator(scan, ',', true);
}

function scanEntry(scan: Scan): void {
  if (!isInFlow(scan)) {
    if (!scan.isKeyAllowed) throw scanFault(scan, 'block sequence entries are not allowed in this context');
    openBlock(scan, 'list-start', scan);
  }
  dropKey(scan);
  addIndicator(scan, 'entry', true);
}

function scanKey(scan: Scan): void {
  if (!isInFlow(scan)) {
    if (!scan.isKeyAllowed) throw scanFault(scan, 'mapping keys are not allowed in this context');
    openBlock(scan, 'map-start', scan);
  }
  dropKey(scan);
  addIndicator(scan, 'key', !isInFlow(scan));
}

function scanValue(scan: Scan): void {
  const key = scan.keys.at(-1);
  if (isStillPossible(scan, key)) {
    scan.tokens.splice(scan.head + key.token - scan.taken, 0, { type: 'key', line: key.line });
    openBlock(scan, 'map-start', key, key.token);
    key.isPossible = false;
    scan.keyOfToken.delete(key.token);
    return addIndicator(scan, 'value', false);
  }
  if (!isInFlow(scan)) {
    if (!scan.isKeyAllowed) throw scanFault(scan, 'mapping values are not allowed in this context');
    openBlock(scan, 'map-start', scan);
  }
  addIndicator(scan, 'value', !isInFlow(scan));
}

function scanAnchor(scan: Scan, char: string): void {
  keepKey(scan);
  scan.isKeyAllowed = false;
  const { line } = scan;
  add(scan, { type: char === '&' ? 'anchor' : 'alias', name: readAnchor(scan), line });
}

function scanTag(scan: Scan): void {
  keepKey(scan);
  scan.isKeyAllowed = false;
  const { line } = scan;
  add(scan, { type: 'tag', tag: readTag(scan), line });
}

function scanBlock(scan: Scan): void {
  dropKey(scan);
  scan.isKeyAllowed = true;
  const { line } = scan;
  add(scan, { type: 'scalar', value: readBlock(scan, scan.indent), isPlain: false, line });
}

function scanQuoted(scan: Scan, quote: string): void {
  keepKey(scan);
  scan.isKeyAllowed = false;
  const { line } = scan;
  add(scan, { type: 'scalar', value: readQuoted(scan, quote.charCodeAt(0)), isPlain: false, line });
}

function scanPlain(scan: Scan): void {
  keepKey(scan);
  scan.isKeyAllowed = false;
  const { line } = scan;
  const { value, endsLine } = readPlain(scan, scan.indent + 1, isInFlow(scan));
  if (endsLine) scan.isKeyAllowed = true;
  add(scan, { type: 'scalar', value, isPlain: true, line });
}
