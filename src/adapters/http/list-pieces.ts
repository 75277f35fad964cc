import { isJsonObject } from '../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';
import { writeJsonForGo } from '../../machinery/json/json-writer.ts';
import { indentJson } from './indent-json.ts';
import { itemText } from './item-texts.ts';

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
