import type { Readable } from 'node:stream';
import type { Release } from '../../api/release/release.ts';
import type { OpenWatch, WatchEvent } from '../../apiserver/request/api-request.ts';
import { writeJsonForGo } from '../../machinery/json/json-writer.ts';
import { asList, type JsonObject } from '../../machinery/json/json.ts';
import { ok, refuse, type Result } from '../../machinery/meta/result.ts';
import { notAcceptable } from '../../machinery/meta/status.ts';
import { type MediaType, protobufType } from './accept.ts';
import { writeYaml } from './yaml/write-yaml.ts';

interface Encoding {
  readonly mediaType: MediaType;
  readonly isPretty: boolean;
}

/** Encodes an object, list or Status; 406 when its kind has no protobuf message. */
export async function encodeBody(
  value: JsonObject,
  { mediaType, isPretty }: Encoding,
  { loadProtobuf }: Pick<Release, 'loadProtobuf'>,
): Promise<Result<string | Buffer>> {
  switch (mediaType) {
    case 'application/json': {
      const json = writeJsonForGo(value);
      return ok(isPretty ? indentJson(json) : `${json}\n`);
    }
    case 'application/yaml':
      return ok(writeYaml(value));
    case protobufType: {
      const { canEncode, encode } = await loadProtobuf();
      return canEncode(value) ? ok(asBuffer(encode(value))) : refuse(notAcceptable(textOnly));
    }
  }
}

/** Items. Longer lists are encoded while they are sent: their text may be longer than a string can be. */
const itemsOfPart = 100;

export const isLongList = (value: JsonObject): boolean => asList(value['items']).length > itemsOfPart;

/** The JSON of a list in parts, in UTF-8. Follows apimachinery pkg/runtime/serializer/json/collections.go streamEncodeCollections. */
export function* encodeListInParts(list: JsonObject): Iterable<Buffer> {
  const items = asList(list['items']);
  const at = Object.keys(list).indexOf('items');
  const fields = Object.entries(list);
  const textOf = (some: typeof fields): string => writeJsonForGo(Object.fromEntries(some)).slice(1, -1);
  const [before, after] = [textOf(fields.slice(0, at)), textOf(fields.slice(at + 1))];
  yield Buffer.from(`{${before}${before === '' ? '' : ','}"items":[`);
  for (let first = 0; first < items.length; first += itemsOfPart) {
    const part = writeJsonForGo(items.slice(first, first + itemsOfPart)).slice(1, -1);
    yield Buffer.from(first === 0 ? part : `,${part}`);
  }
  yield Buffer.from(`]${after === '' ? '' : ','}${after}}\n`);
}

const textOnly = 'only the following media types are accepted: application/json, application/yaml';

export type WatchFrame = string | Uint8Array;

/**
 * Lines of JSON, or protobuf messages after their length in four bytes. Follows apimachinery
 * pkg/util/framer/framer.go and pkg/runtime/serializer/protobuf/protobuf.go.
 */
export async function frameEncoder(
  mediaType: MediaType,
  { loadProtobuf }: Pick<Release, 'loadProtobuf'>,
): Promise<(event: WatchEvent) => WatchFrame> {
  if (mediaType !== protobufType) return lineOf;
  const { encodeWatchEvent } = await loadProtobuf();
  return ({ type, object }) => {
    const message = encodeWatchEvent(type, object);
    const frame = Buffer.allocUnsafe(message.length + 4);
    frame.writeUInt32BE(message.length);
    frame.set(message, 4);
    return frame;
  };
}

let last: (WatchEvent & { readonly line: string }) | undefined;

/** An event is sent to its watchers in a row, so the last line is often the next one too. */
function lineOf({ type, object }: WatchEvent): string {
  if (last?.object === object && last.type === type) return last.line;
  const line = `${writeJsonForGo({ type, object })}\n`;
  last = { type, object, line };
  return line;
}

const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

export type WireResponse = WireDocument | WireParts | WireWatch;

export interface WireDocument {
  readonly type: 'buffered';
  readonly code: number;
  readonly headers: WireHeaders;
  /** Text and headers are one write, bytes a second one. */
  readonly body: string | Buffer;
}

/** A document that is rendered while it is sent. */
export interface WireParts {
  readonly type: 'parts';
  readonly code: number;
  readonly headers: WireHeaders;
  readonly parts: Readable;
}

export interface WireWatch {
  readonly type: 'watch';
  readonly headers: WireHeaders;
  readonly open: OpenWatch;
  readonly isZipped: boolean;
  readonly frame: (event: WatchEvent) => WatchFrame;
}

/** Node's types require mutable lists. */
export type WireHeaders = Readonly<Record<string, string | string[]>>;

/** Indents compact JSON by two spaces a level, numbers unchanged. Follows go src/encoding/json/indent.go. */
export function indentJson(text: string): string {
  const parts: string[] = [];
  let depth = 0;
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
