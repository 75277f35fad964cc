import { writeJsonForGo } from '../../machinery/json/json-writer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import { createWeightedCache } from '../../machinery/weighted-cache.ts';

/** Of a list of objects or metadata, and of a Table. */
const longFields: ReadonlySet<string> = new Set(['items', 'rows']);

/** Shorter lists are written in one piece. */
const manyItems = 32;

export const isLongList = (object: JsonObject): boolean => [...longFields].some((field) => isLong(object[field]));

const isLong = (value: JsonValue | undefined): value is readonly JsonValue[] =>
  Array.isArray(value) && value.length >= manyItems;

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

/** Writes a long list in JSON as Go does, in pieces: the whole text may exceed the longest string. */
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

/** Compact JSON; items are often listed again unchanged. */
function addKeptItems(pieces: Pieces, items: readonly JsonValue[]): void {
  pieces.add('[');
  for (const [at, item] of items.entries()) {
    const text = isJsonObject(item) ? encodeItem(item) : `,${writeJsonForGo(item)}`;
    const start = at === 0 ? 1 : 0; // The comma of the first.
    if (typeof text === 'string') pieces.add(text.slice(start));
    else pieces.addBytes(text.subarray(start));
  }
  pieces.add(']');
}

/** Characters: few writes, each of which TLS encrypts quickly. */
const pieceSize = 128 * 1024;

interface Pieces {
  readonly add: (text: string) => void;
  /** UTF-8, whole characters. */
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
 * An item in JSON after a comma: cached bytes, or a text. An item is cached when it is written a second time and is
 * long.
 */
export function encodeItem(item: JsonObject): Buffer | string {
  const known = kept.get(item);
  if (known !== undefined && known !== once) return known;
  const text = `,${writeJsonForGo(item)}`;
  if (text.length < shortText) return text;
  const bytes = known === once ? Buffer.from(text) : once;
  kept.put(item, bytes);
  return bytes === once ? text : bytes;
}

const shortText = 1024;

/** Marks an item that was written once. */
const once = Buffer.alloc(0);

/** Bytes: a list of 10,000 Pods. */
const mostBytes = 128 * 1024 * 1024;
/** Bytes of an entry without text. */
const bytesOfEntry = 32;

/** A list of 10,000 Pods that was listed before takes a fifth longer without. */
const kept = createWeightedCache<Buffer>(mostBytes, (bytes) => bytes.length + bytesOfEntry);

/**
 * Indents compact JSON by two spaces a level, numbers unchanged; `outer` levels are around it. Follows go
 * src/encoding/json/indent.go.
 */
export function indentJson(text: string, outer = 0): string {
  const parts: string[] = [];
  let depth = outer;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '"') {
      const end = endOfString(text, at);
      parts.push(text.slice(at, end));
      at = end - 1;
    } else if ((char === '{' && text[at + 1] === '}') || (char === '[' && text[at + 1] === ']')) {
      parts.push(text.slice(at, at + 2));
      at += 1;
    } else {
      if (char === '{' || char === '[') depth += 1;
      if (char === '}' || char === ']') depth -= 1;
      parts.push(withBreak(char, depth));
    }
  }
  return parts.join('');
}

function withBreak(char: string, depth: number): string {
  const newLine = (): string => `\n${'  '.repeat(depth)}`;
  if (char === '{' || char === '[' || char === ',') return char + newLine();
  if (char === '}' || char === ']') return newLine() + char;
  return char === ':' ? ': ' : char;
}

/** The offset after the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}
