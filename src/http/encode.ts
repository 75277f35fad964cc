import type { JsonObject } from '../apimachinery/json.ts';
import { isLarge } from '../apimachinery/is-large.ts';
import { jsonInSteps } from '../apimachinery/json-in-steps.ts';
import { escapeForGo, writeJson, writeJsonForGo } from '../apimachinery/json-writer.ts';
import { inTurns } from '../apimachinery/in-turns.ts';
import { inSteps } from '../apimachinery/pause.ts';
import type { Pause, Steps } from '../apimachinery/pause.ts';
import { ok, refuse } from '../apimachinery/result.ts';
import type { Result } from '../apimachinery/result.ts';
import { notAcceptable } from '../apimachinery/status.ts';
import type { WatchEvent } from '../request/api-request.ts';
import type { Release } from '../schema/release/release.ts';
import { protobufType } from './accept.ts';
import type { MediaType } from './accept.ts';
import { indentedInSteps } from './indent-json.ts';
import { bytesOf } from './json-pieces.ts';
import { isLongList, listPieces } from './list-pieces.ts';
import { piecesOfText } from '../apimachinery/pieces-of-text.ts';
import { yamlPieces } from './yaml/write-yaml.ts';

/** What is sent: a text, bytes, or the pieces of a long list. */
export type Encoded = string | Buffer | readonly Buffer[];

interface Encoding {
  readonly mediaType: MediaType;
  readonly isPretty: boolean;
  readonly pause?: Pause | undefined;
}

/** An object, list or Status as text or bytes. Refused when its kind has no protobuf message. */
export async function encodeBody(
  value: JsonObject,
  { mediaType, isPretty, pause }: Encoding,
  { loadProtobuf }: Pick<Release, 'loadProtobuf'>,
): Promise<Result<Encoded>> {
  switch (mediaType) {
    case 'application/json': {
      if (isLongList(value)) return ok(await inSteps(listPieces(value, isPretty), pause));
      if (isPretty) return ok(await inSteps(prettyPieces(value), pause));
      if (isLarge(value)) return ok(await inSteps(largePieces(value), pause));
      const json = writeJson(value);
      if (json.length > longText) return ok(await inSteps(escapedPieces([json]), pause));
      return ok(`${escapeForGo(json)}\n`);
    }
    case 'application/yaml':
      return ok(await inSteps(yamlPieces(value), pause));
    case protobufType: {
      const { canEncode, encode } = await loadProtobuf();
      return canEncode(value)
        ? ok(asBuffer(await inTurns(() => encode(value), pause)))
        : refuse(notAcceptable(textOnly));
    }
  }
}

/** From here on a text is escaped, made bytes and sent in pieces. */
const longText = 256 * 1024;

/** So much text is looked through in a moment, even when all of it has to be escaped. */
const pieceOfText = 64 * 1024;

/** What has very many values is written in steps before its text is looked through. */
function* largePieces(value: JsonObject): Steps<readonly Buffer[]> {
  return yield* escapedPieces(yield* jsonInSteps(value));
}

function* prettyPieces(value: JsonObject): Steps<Encoded> {
  const texts = yield* indentedInSteps(value, 0);
  return texts.length === 1 ? texts.join('') : yield* bytesOf(texts);
}

/** Long texts as escapeForGo has them, a step for each of their pieces. */
function* escapedPieces(texts: readonly string[]): Steps<readonly Buffer[]> {
  const pieces: Buffer[] = [];
  for (const text of texts) {
    for (const piece of piecesOfText(text, pieceOfText)) {
      pieces.push(Buffer.from(escapeForGo(piece)));
      yield;
    }
  }
  return [...pieces, newLine];
}

const newLine = Buffer.from('\n');

const textOnly = 'only the following media types are accepted: application/json, application/yaml';

/** One event on a watch's stream. */
export type Frame = string | Uint8Array;

/**
 * Lines of JSON, or protobuf messages behind their length in four bytes.
 * Follows apimachinery pkg/util/framer/framer.go and pkg/runtime/serializer/protobuf/protobuf.go.
 */
export async function frameEncoder(
  mediaType: MediaType,
  { loadProtobuf }: Pick<Release, 'loadProtobuf'>,
): Promise<(event: WatchEvent) => Frame> {
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

/** An event goes to all its watchers one after the other: the line made last is most often the next one. */
function lineOf({ type, object }: WatchEvent): string {
  if (last?.object === object && last.type === type) return last.line;
  const line = `${writeJsonForGo({ type, object })}\n`;
  last = { type, object, line };
  return line;
}

const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);
