import type { Readable } from 'node:stream';
import type { JsonObject } from '../../machinery/json/json.ts';
import { writeJsonForGo } from '../../machinery/json/json-writer.ts';
import { ok, refuse, type Result } from '../../machinery/meta/result.ts';
import { notAcceptable } from '../../machinery/meta/status.ts';
import type { OpenWatch, WatchEvent } from '../../apiserver/request/api-request.ts';
import type { Release } from '../../api/release/release.ts';
import { type MediaType, protobufType } from './accept.ts';
import { indentJson } from './indent-json.ts';
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
  readonly frame: (event: WatchEvent) => WatchFrame;
}

/** Node's types require mutable lists. */
export type WireHeaders = Readonly<Record<string, string | string[]>>;
