import type { Readable } from 'node:stream';
import type { OpenWatch, WatchEvent } from '../../apiserver/request/api-request.ts';
import type { Frame } from './encode.ts';

export type WireResponse = WireDocument | WireParts | WireWatch;

export interface WireDocument {
  readonly type: 'buffered';
  readonly code: number;
  readonly headers: WireHeaders;
  /** Text and headers are one write, bytes a second one. */
  readonly body: string | Buffer;
}

/** A long document, rendered or cut while it is sent. */
export interface WireParts {
  readonly type: 'parts';
  readonly code: number;
  readonly headers: WireHeaders;
  readonly parts: Readable;
  /** Bytes in memory until sent; a document that is rendered while sent has none. */
  readonly held: number;
}

export interface WireWatch {
  readonly type: 'watch';
  readonly headers: WireHeaders;
  readonly open: OpenWatch;
  readonly frame: (event: WatchEvent) => Frame;
}

/** Node's types require mutable lists. */
export type WireHeaders = Readonly<Record<string, string | string[]>>;
