import type { Readable } from 'node:stream';
import type { OpenWatch, WatchEvent } from '../../apiserver/request/api-request.ts';
import type { Frame } from './encode.ts';

export type WireResponse = WireDocument | WireParts | WireWatch;

export interface WireDocument {
  readonly type: 'buffered';
  readonly code: number;
  readonly headers: WireHeaders;
  /** Text goes out in one write with the headers; bytes take a second one. */
  readonly body: string | Buffer;
}

/** A long document, made or cut up while it is sent. */
export interface WireParts {
  readonly type: 'parts';
  readonly code: number;
  readonly headers: WireHeaders;
  readonly parts: Readable;
  /** Bytes that are kept until it is sent; those of a document that is made on the way do not count. */
  readonly held: number;
}

export interface WireWatch {
  readonly type: 'watch';
  readonly headers: WireHeaders;
  readonly open: OpenWatch;
  /** An event as this client wants to read it. */
  readonly frame: (event: WatchEvent) => Frame;
}

/** Node wants its lists writable. */
export type WireHeaders = Readonly<Record<string, string | string[]>>;
