import { code, isBlank, isBlankOrEnd, isBreak, isBreakOrEnd, peek, readBreak, readMatch } from './cursor.ts';
import { scanFault, skip, skipBlanks, skipComment } from './cursor.ts';
import type { Cursor } from './cursor.ts';

export interface Tag {
  /** '' for a whole tag (`!<…>` and `!`). */
  readonly handle: string;
  readonly suffix: string;
}

const word = /[\w-]*/y;

/** Reads the name of an anchor or alias; the cursor is at `&` or `*`. */
export function readAnchor(cursor: Cursor): string {
  skip(cursor);
  const name = readMatch(cursor, word);
  if (name === '' || !(isBlankOrEnd(peek(cursor)) || '?:,]}%@`'.includes(String.fromCharCode(peek(cursor)))))
    throw scanFault(cursor, 'did not find expected alphabetic or numeric character');
  return name;
}

/** Reads a tag; the cursor is at `!`. Follows goyaml.v2 scannerc.go yaml_parser_scan_tag. */
export function readTag(cursor: Cursor): Tag {
  const tag = peek(cursor, 1) === code.less ? readWholeTag(cursor) : readShortTag(cursor);
  if (!isBlankOrEnd(peek(cursor))) throw scanFault(cursor, 'did not find expected whitespace or line break');
  return tag;
}

function readWholeTag(cursor: Cursor): Tag {
  skip(cursor, 2);
  const suffix = readUri(cursor, '');
  if (peek(cursor) !== code.greater) throw scanFault(cursor, "did not find the expected '>'");
  skip(cursor);
  return { handle: '', suffix };
}

function readShortTag(cursor: Cursor): Tag {
  const handle = readMatch(cursor, handlePattern);
  if (handle.length > 1 && handle.endsWith('!')) return { handle, suffix: readUri(cursor, '') };
  const suffix = readUri(cursor, handle);
  return suffix === '' ? { handle: '', suffix: '!' } : { handle: '!', suffix };
}

const handlePattern = /![\w-]*!?/y;
const uri = /[\w\-;/?:@&=+$,.!~*'()[\]%]*/y;

/** What stands behind the handle; the beginning may have been taken for one. */
function readUri(cursor: Cursor, head: string): string {
  const text = readMatch(cursor, uri);
  if (text === '' && head === '') throw scanFault(cursor, 'did not find expected tag URI');
  return decoded(cursor, head.slice(1) + text);
}

function decoded(cursor: Cursor, text: string): string {
  if (/%(?![\da-f]{2})/i.test(text)) throw scanFault(cursor, 'did not find URI escaped octet');
  try {
    return decodeURIComponent(text);
  } catch {
    throw scanFault(cursor, 'found an incorrect leading UTF-8 octet');
  }
}

export type Directive =
  | { readonly type: 'version'; readonly version: string }
  | { readonly type: 'tag'; readonly handle: string; readonly prefix: string };

/** Reads a directive; the cursor is at `%`. Follows goyaml.v2 scannerc.go yaml_parser_scan_directive. */
export function readDirective(cursor: Cursor): Directive {
  skip(cursor);
  const name = readMatch(cursor, word);
  if (name === '') throw scanFault(cursor, 'could not find expected directive name');
  if (!isBlankOrEnd(peek(cursor))) throw scanFault(cursor, 'found unexpected non-alphabetical character');
  if (name !== 'YAML' && name !== 'TAG') throw scanFault(cursor, 'found unknown directive name');
  skipBlanks(cursor);
  const directive = name === 'YAML' ? readVersion(cursor) : readTagDirective(cursor);
  skipBlanks(cursor);
  skipComment(cursor);
  if (!isBreakOrEnd(peek(cursor))) throw scanFault(cursor, 'did not find expected comment or line break');
  if (isBreak(peek(cursor))) readBreak(cursor);
  return directive;
}

function readVersion(cursor: Cursor): Directive {
  const major = readNumber(cursor);
  if (peek(cursor) !== code.dot) throw scanFault(cursor, "did not find expected digit or '.' character");
  skip(cursor);
  return { type: 'version', version: `${major}.${readNumber(cursor)}` };
}

const number = /\d*/y;

function readNumber(cursor: Cursor): number {
  const digits = readMatch(cursor, number);
  if (digits.length > 2) throw scanFault(cursor, 'found extremely long version number');
  if (digits === '') throw scanFault(cursor, 'did not find expected version number');
  return Number(digits);
}

function readTagDirective(cursor: Cursor): Directive {
  const handle = readMatch(cursor, handlePattern);
  if (handle === '' || (handle !== '!' && !handle.endsWith('!'))) throw scanFault(cursor, "did not find expected '!'");
  if (!isBlank(peek(cursor))) throw scanFault(cursor, 'did not find expected whitespace');
  skipBlanks(cursor);
  const prefix = readUri(cursor, '');
  if (!isBlankOrEnd(peek(cursor))) throw scanFault(cursor, 'did not find expected whitespace or line break');
  return { type: 'tag', handle, prefix };
}
