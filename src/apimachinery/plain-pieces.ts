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

/** Told of the brackets and commas of a text, from its beginning; false when it is no JSON, or repeats a key. */
interface PieceReader {
  readonly open: (at: number) => boolean;
  readonly comma: (at: number) => boolean;
  readonly close: (at: number) => boolean;
  readonly end: () => Read | undefined;
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
}

type Container = JsonValue[] | JsonObject;

/** Reads members of lists and objects as soon as they have so many characters together, and what is shorter as a whole. */
export function readInPieces(text: string, pieceOfText: number): PieceReader {
  const open: Open[] = [];
  let root: Read | undefined;
  let rootEnd = 0;
  let fields = 0;

  const readMembers = (one: Open, end: number): boolean => {
    const members = parsed(enclosed(one, text.slice(one.from, end)));
    one.value ??= one.isList ? [] : {};
    one.from = end + 1;
    if (members === undefined || !addMembers(one.value, members)) return false;
    fields += countFields(members);
    return true;
  };

  const addMember = (one: Open, start: number, value: Container, end: number): boolean => {
    if (one.from < one.memberStart && !readMembers(one, one.memberStart - 1)) return false;
    const labelled = parsed(enclosed(one, `${text.slice(one.memberStart, start)}null`));
    one.value ??= one.isList ? [] : {};
    if (labelled === undefined || !addMembers(one.value, labelled, value)) return false;
    if (!one.isList) fields += 1;
    one.from = end + 1;
    one.isAfterMember = true;
    return true;
  };

  return {
    open: (at) => {
      if (open.length === 0 && (root !== undefined || !isSpace(text, 0, at))) return false;
      open.push({
        start: at,
        isList: text[at] === '[',
        memberStart: at + 1,
        from: at + 1,
        isAfterMember: false,
        value: undefined,
      });
      return true;
    },
    comma: (at) => {
      const one = open.at(-1);
      if (!one) return false;
      if (one.isAfterMember) {
        if (!isSpace(text, one.from, at)) return false;
        one.isAfterMember = false;
        one.from = at + 1;
      } else if (at - one.from > pieceOfText && !readMembers(one, at)) return false;
      one.memberStart = at + 1;
      return true;
    },
    close: (at) => {
      const one = open.pop();
      if (!one || one.isList !== (text[at] === ']')) return false;
      const outer = open.at(-1);
      if (one.value === undefined) {
        if (outer) return true; // Read as a part of it.
        rootEnd = at + 1;
        root = readWhole(text.slice(one.start, rootEnd));
        return root !== undefined;
      }
      if (!(one.isAfterMember ? isSpace(text, one.from, at) : readMembers(one, at))) return false;
      if (outer) return addMember(outer, one.start, one.value, at);
      rootEnd = at + 1;
      root = { value: one.value, fields };
      return true;
    },
    end: () => {
      if (open.length > 0) return undefined;
      return root ? (isSpace(text, rootEnd, text.length) ? root : undefined) : readWhole(text);
    },
  };
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
function addMembers(container: Container, members: JsonValue, value?: JsonValue): boolean {
  let added = 0;
  if (isList(members)) {
    for (const member of members) added = Array.isArray(container) ? container.push(value ?? member) : 0;
    return added > 0;
  }
  if (!isJsonObject(members)) return false;
  for (const name in members) {
    if (Object.hasOwn(container, name)) return false;
    setOwn(container, name, value ?? members[name]);
    added += 1;
  }
  return added > 0;
}

function countFields(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  let fields = 0;
  if (isList(value)) {
    for (const element of value) fields += countFields(element);
    return fields;
  }
  for (const field in value) fields += 1 + countFields(value[field] ?? null);
  return fields;
}
