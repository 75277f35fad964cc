import { writeJsonForGo } from '../../machinery/json/json-writer.ts';
import { isJsonObject } from '../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';
import { createRecent } from '../../machinery/recent.ts';
import { indentJson } from './indent-json.ts';

/** What a list of objects, a Table or a list of metadata has many of. */
const longFields: ReadonlySet<string> = new Set(['items', 'rows']);

/** From how many items on a list is written in pieces. */
const manyItems = 32;

/** Is the list so long that it is written in pieces? */
export const isLongList = (object: JsonObject): boolean => [...longFields].some((field) => isLong(object[field]));

const isLong = (value: JsonValue | undefined): value is readonly JsonValue[] =>
  Array.isArray(value) && value.length >= manyItems;

/** What stands between the parts of a list, and how one of them is written at a depth. */
interface Layout {
  readonly colon: string;
  readonly newLine: (depth: number) => string;
  readonly write: (value: JsonValue, depth: number) => string;
  readonly end: string;
}

const compact: Layout = { colon: ':', newLine: () => '', write: writeJsonForGo, end: '\n' };
const pretty: Layout = {
  colon: ': ',
  newLine: (depth) => `\n${'  '.repeat(depth)}`,
  write: (value, depth) => indentJson(writeJsonForGo(value), depth),
  end: '',
};

/**
 * A long list as Go prints it in JSON, in UTF-8, in pieces: the text of all items may be longer than a string can be.
 */
export function listPieces(list: JsonObject, isPretty: boolean): readonly Buffer[] {
  const layout = isPretty ? pretty : compact;
  const { colon, newLine, write, end } = layout;
  const pieces = collectPieces();
  let before = '{';
  for (const [field, value] of Object.entries(list)) {
    if (value === undefined) continue;
    pieces.add(`${before}${newLine(1)}${JSON.stringify(field)}${colon}`);
    before = ',';
    if (longFields.has(field) && isLong(value)) {
      if (field === 'items' && !isPretty) addKeptItems(pieces, value);
      else addItems(pieces, value, layout);
    } else pieces.add(write(value, 1));
  }
  pieces.add(`${newLine(0)}}${end}`);
  return pieces.all();
}

function addItems(pieces: Pieces, items: readonly JsonValue[], { newLine, write }: Layout): void {
  let before = '[';
  for (const item of items) {
    pieces.add(`${before}${newLine(2)}`);
    pieces.add(write(item, 2));
    before = ',';
  }
  pieces.add(`${newLine(1)}]`);
}

/** The same without space between them. Objects of one state are often listed more than once. */
function addKeptItems(pieces: Pieces, items: readonly JsonValue[]): void {
  pieces.add('[');
  for (const [at, item] of items.entries()) {
    const text = isJsonObject(item) ? itemText(item) : `,${writeJsonForGo(item)}`;
    const start = at === 0 ? 1 : 0; // The comma of the first.
    if (typeof text === 'string') pieces.add(text.slice(start));
    else pieces.addBytes(text.subarray(start));
  }
  pieces.add(']');
}

/** Characters of a piece: enough that few writes are needed, few enough that one is encrypted quickly. */
const pieceSize = 128 * 1024;

/** Text that grows, as bytes in pieces. */
interface Pieces {
  readonly add: (text: string) => void;
  /** Whole characters in UTF-8. */
  readonly addBytes: (bytes: Buffer) => void;
  readonly all: () => readonly Buffer[];
}

export function collectPieces(): Pieces {
  const pieces: Buffer[] = [];
  let parts: Buffer[] = [];
  let length = 0;
  let text = '';
  const addText = (): void => {
    if (text !== '') parts.push(Buffer.from(text));
    text = '';
  };
  const put = (): void => {
    addText();
    const [first, ...more] = parts;
    if (first) pieces.push(more.length === 0 ? first : Buffer.concat(parts));
    [parts, length] = [[], 0];
  };
  return {
    add: (more) => {
      text += more;
      length += more.length;
      if (length >= pieceSize) put();
    },
    addBytes: (bytes) => {
      addText();
      parts.push(bytes);
      length += bytes.length;
      if (length >= pieceSize) put();
    },
    all: () => {
      put();
      return pieces;
    },
  };
}

/**
 * An item of a list as Go prints it in JSON, behind a comma: bytes that are kept for the next list, or a text. What is
 * written once is not kept, since most lists are not asked for again, and what is short is written as fast as it is found.
 */
export function itemText(item: JsonObject): Buffer | string {
  const known = kept.get(item);
  if (known !== undefined && known !== once) return known;
  const text = `,${writeJsonForGo(item)}`;
  if (text.length < shortText) return text;
  const bytes = known === once ? Buffer.from(text) : once;
  kept.put(item, bytes);
  return bytes === once ? text : bytes;
}

const shortText = 1024;

/** What stands for a text that was written once. */
const once = Buffer.alloc(0);

/** Bytes of all texts: a list of 10,000 Pods. */
const mostBytes = 128 * 1024 * 1024;
/** About what it takes to remember that one was written. */
const bytesOfEntry = 32;

const kept = createRecent<Buffer>(mostBytes, (bytes) => bytes.length + bytesOfEntry);
