import { scanFault } from './cursor.ts';
import type { Cursor } from './cursor.ts';
import type { SimpleToken, Token } from './token.ts';

/** A place where a key without `?` may begin. */
export interface SimpleKey {
  isPossible: boolean;
  readonly isRequired: boolean;
  /** The number of its first token. */
  readonly token: number;
  readonly at: number;
  readonly line: number;
  readonly column: number;
}

/** Where the scanner is in a text. */
export interface Scan extends Cursor {
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

export const tooDeep = `exceeded max depth of ${deepest}`;

export const createScan = (text: string): Scan => ({
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
});

export const isInFlow = (scan: Scan): boolean => scan.keys.length > 1;

export const add = (scan: Scan, token: Token): void => void scan.tokens.push(token);

/** May the key still be followed by its colon? It is on one line, and at most 1024 characters long. */
export function isStillPossible(scan: Scan, key: SimpleKey | undefined): key is SimpleKey {
  if (!key?.isPossible) return false;
  if (isNear(scan, key)) return true;
  if (key.isRequired) throw scanFault(scan, "could not find expected ':'");
  key.isPossible = false;
  return false;
}

const isNear = (scan: Scan, key: SimpleKey): boolean => key.line === scan.line && key.at + 1024 >= scan.at;

/** Is it open whether a key begins with this token? */
export function isUndecided(scan: Scan, token: number): boolean {
  const key = scan.keyOfToken.get(token);
  return key !== undefined && key.isPossible && isNear(scan, key);
}

/** A key may begin here, if one is allowed. */
export function keepKey(scan: Scan): void {
  if (!scan.isKeyAllowed) return;
  const { at, line, column } = scan;
  const token = scan.taken + scan.tokens.length - scan.head;
  const isRequired = !isInFlow(scan) && scan.indent === column;
  dropKey(scan);
  const key: SimpleKey = { isPossible: true, isRequired, token, at, line, column };
  scan.keys[scan.keys.length - 1] = key;
  scan.keyOfToken.set(token, key);
}

/** What might have been a key is none. */
export function dropKey(scan: Scan): void {
  const key = scan.keys.at(-1);
  if (!key?.isPossible) return;
  if (key.isRequired) throw scanFault(scan, "could not find expected ':'");
  forgetKey(scan, key);
}

function forgetKey(scan: Scan, key: SimpleKey): void {
  key.isPossible = false;
  scan.keyOfToken.delete(key.token);
}

/** What might have been a key is one: its token is put before it. */
export function takeKey(scan: Scan, key: SimpleKey): void {
  insert(scan, key.token, { type: 'key', line: key.line });
  openBlock(scan, 'map-start', key, key.token);
  forgetKey(scan, key);
}

const insert = (scan: Scan, number: number, token: Token): void =>
  void scan.tokens.splice(scan.head + number - scan.taken, 0, token);

/** Begins a block collection if the column is further in; `before` is the number of the token it stands before. */
export function openBlock(scan: Scan, type: SimpleToken, { line, column }: Mark, before?: number): void {
  if (isInFlow(scan) || scan.indent >= column) return;
  scan.indents.push(scan.indent);
  scan.indent = column;
  if (scan.indents.length > deepest) throw scanFault(scan, tooDeep);
  if (before === undefined) add(scan, { type, line });
  else insert(scan, before, { type, line });
}

type Mark = Pick<Cursor, 'line' | 'column'>;

export function closeBlocks(scan: Scan, column: number): void {
  if (isInFlow(scan)) return;
  while (scan.indent > column) {
    add(scan, { type: 'block-end', line: scan.line });
    scan.indent = scan.indents.pop() ?? -1;
  }
}

export function openFlow(scan: Scan): void {
  scan.keys.push(undefined);
  if (scan.keys.length - 1 > deepest) throw scanFault(scan, tooDeep);
}

export function closeFlow(scan: Scan): void {
  if (isInFlow(scan)) scan.keys.pop();
}
