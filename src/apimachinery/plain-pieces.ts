import { countValues, isContainer } from './count-values.ts';
import { keepNames } from './field-names.ts';
import { isJsonObject, isList, setOwn } from './json.ts';
import type { JsonObject, JsonValue } from './json.ts';

/** What was read, and how many fields there are in it. */
interface Read {
  readonly value: JsonValue;
  readonly fields: number;
}

/** What JSON.parse makes of the text; undefined when it is no JSON. */
export function readWhole(text: string): Read | undefined {
  const value = parsed(text);
  return value === undefined ? undefined : { value, fields: countFields(value) };
}

/** A list or an object that is not at its end yet. */
interface Open {
  readonly start: number;
  readonly isList: boolean;
  /** Where its last member begins. */
  memberStart: number;
  /** Where what is not read yet begins. */
  from: number;
  /** Was the last thing read a member by itself? Then a comma or the end has to follow. */
  isAfterMember: boolean;
  /** What it has come to, when it is read in pieces. */
  value: Container | undefined;
  /** Those of its fields that are read. */
  readonly names: string[];
}

type Container = JsonValue[] | JsonObject;

/** A text that is read by what is told of its brackets and commas, from its beginning. */
export interface Pieces {
  readonly text: string;
  /** Members of a list or an object are read as soon as they have so many characters together. */
  readonly pieceOfText: number;
  readonly open: Open[];
  fields: number;
  root: Read | undefined;
  rootEnd: number;
}

/** What is told next returns false when the text is no JSON, or repeats a key. */
export const beginPieces = (text: string, pieceOfText: number): Pieces => ({
  text,
  pieceOfText,
  open: [],
  fields: 0,
  root: undefined,
  rootEnd: 0,
});

/** An opening bracket. */
export function openAt({ text, open, root }: Pieces, at: number): boolean {
  if (open.length === 0 && (root !== undefined || !isSpace(text, 0, at))) return false;
  const from = at + 1;
  open.push({
    start: at,
    isList: text[at] === '[',
    memberStart: from,
    from,
    isAfterMember: false,
    value: undefined,
    names: [],
  });
  return true;
}

export function commaAt(pieces: Pieces, at: number): boolean {
  const one = pieces.open.at(-1);
  if (!one) return false;
  if (one.isAfterMember) {
    if (!isSpace(pieces.text, one.from, at)) return false;
    one.isAfterMember = false;
    one.from = at + 1;
  } else if (at - one.from > pieces.pieceOfText && !readMembers(pieces, one, at)) return false;
  one.memberStart = at + 1;
  return true;
}

/** A closing bracket. */
export function closeAt(pieces: Pieces, at: number): boolean {
  const { text, open } = pieces;
  const one = open.pop();
  if (!one || one.isList !== (text[at] === ']')) return false;
  const outer = open.at(-1);
  if (one.value === undefined) return outer !== undefined || readRoot(pieces, one.start, at); // Else a part of that.
  if (!(one.isAfterMember ? isSpace(text, one.from, at) : readMembers(pieces, one, at))) return false;
  keepNames(one.value, one.names);
  if (outer) return addMember(pieces, outer, { start: one.start, end: at, value: one.value });
  pieces.root = { value: one.value, fields: pieces.fields };
  pieces.rootEnd = at + 1;
  return true;
}

/** What was read; undefined when the text is no JSON. */
export function endOfPieces({ text, open, root, rootEnd }: Pieces): Read | undefined {
  if (open.length > 0) return undefined;
  if (root === undefined) return readWhole(text);
  return isSpace(text, rootEnd, text.length) ? root : undefined;
}

function readRoot(pieces: Pieces, start: number, end: number): boolean {
  pieces.rootEnd = end + 1;
  pieces.root = readWhole(pieces.text.slice(start, pieces.rootEnd));
  return pieces.root !== undefined;
}

function readMembers(pieces: Pieces, one: Open, end: number): boolean {
  const members = parsed(enclosed(one, pieces.text.slice(one.from, end)));
  one.from = end + 1;
  if (members === undefined || !addMembers(one, members)) return false;
  pieces.fields += countFields(members);
  return true;
}

interface Member {
  readonly start: number;
  readonly end: number;
  readonly value: Container;
}

/** One that was read by itself, after those before it. */
function addMember(pieces: Pieces, one: Open, { start, end, value }: Member): boolean {
  if (one.from < one.memberStart && !readMembers(pieces, one, one.memberStart - 1)) return false;
  const labelled = parsed(enclosed(one, `${pieces.text.slice(one.memberStart, start)}null`));
  if (labelled === undefined || !addMembers(one, labelled, value)) return false;
  if (!one.isList) pieces.fields += 1;
  one.from = end + 1;
  one.isAfterMember = true;
  return true;
}

const enclosed = ({ isList: list }: Open, members: string): string => (list ? `[${members}]` : `{${members}}`);

const space = /[ \t\r\n]*/y;

function isSpace(text: string, from: number, to: number): boolean {
  space.lastIndex = from;
  space.test(text);
  return space.lastIndex >= to;
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Adds members, or the only one with `value` instead of what it has; false when there are none, or one is there already. */
function addMembers(one: Open, members: JsonValue, value?: JsonValue): boolean {
  const container = (one.value ??= one.isList ? [] : {});
  let added = 0;
  if (isList(members)) {
    for (const member of members) added = Array.isArray(container) ? container.push(value ?? member) : 0;
    return added > 0;
  }
  if (!isJsonObject(members)) return false;
  for (const name in members) {
    if (Object.hasOwn(container, name)) return false;
    setOwn(container, name, value ?? members[name]);
    one.names.push(name);
    added += 1;
  }
  return added > 0;
}

const countFields = (value: JsonValue): number => (isContainer(value) ? countValues(value, Infinity).names : 0);
