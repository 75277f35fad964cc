import type { JsonObject, JsonValue } from '../apimachinery/json.ts';
import { writeJsonForGo } from '../apimachinery/json-writer.ts';
import type { Steps } from '../apimachinery/pause.ts';
import { indentJson } from './indent-json.ts';

/** What a list of objects, a Table or a list of metadata has many of. */
const longFields: ReadonlySet<string> = new Set(['items', 'rows']);

/** From how many on a list is made in steps; writing fewer takes no time. */
const manyItems = 32;

/** Whether writing the object takes so long that it has to be done in steps. */
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
 * A long list as Go prints it in JSON, in UTF-8. A step for every item: the text of ten thousand Pods at once would keep
 * everybody waiting for half a second, and may be longer than a string can be.
 */
export function* listPieces(list: JsonObject, isPretty: boolean): Steps<readonly Buffer[]> {
  const layout = isPretty ? pretty : compact;
  const { colon, newLine, write, end } = layout;
  const pieces = collectPieces();
  let before = '{';
  for (const [field, value] of Object.entries(list)) {
    if (value === undefined) continue;
    pieces.add(`${before}${newLine(1)}${JSON.stringify(field)}${colon}`);
    before = ',';
    if (longFields.has(field) && isLong(value)) yield* addItems(pieces, value, layout);
    else pieces.add(write(value, 1));
  }
  pieces.add(`${newLine(0)}}${end}`);
  return pieces.all();
}

function* addItems(pieces: Pieces, items: readonly JsonValue[], { newLine, write }: Layout): Steps<void> {
  let before = '[';
  for (const item of items) {
    pieces.add(`${before}${newLine(2)}${write(item, 2)}`);
    before = ',';
    yield;
  }
  pieces.add(`${newLine(1)}]`);
}

/** Characters of a piece: enough that few writes are needed, few enough that encrypting one keeps nobody waiting. */
const pieceSize = 128 * 1024;

/** Text that grows, as bytes in pieces. */
interface Pieces {
  readonly add: (text: string) => void;
  readonly all: () => readonly Buffer[];
}

export function collectPieces(): Pieces {
  const pieces: Buffer[] = [];
  let text = '';
  const put = (): void => {
    if (text !== '') pieces.push(Buffer.from(text));
    text = '';
  };
  return {
    add: (more) => {
      text += more;
      if (text.length >= pieceSize) put();
    },
    all: () => {
      put();
      return pieces;
    },
  };
}
