import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';
import type { ApiRequest, DocumentBody } from '../../apiserver/request/api-request.ts';
import type { Encoded } from './encode.ts';
import { acceptsGzip, zipped } from './gzip.ts';
import type { WireHeaders } from './wire-headers.ts';
import type { WireDocument, WireParts } from './wire-response.ts';

const compressFrom = 128 * 1024;
const inPiecesFrom = 1024 * 1024;
const compress = promisify(gzip);

/** The answer with this body, compressed when it is long and the client takes that. */
export async function finished(
  request: ApiRequest,
  code: number,
  headers: WireHeaders,
  body: string | Buffer,
): Promise<WireDocument> {
  if (body.length < compressFrom || !acceptsGzip(request)) return { type: 'buffered', code, headers, body };
  return { type: 'buffered', code, headers: zipped(headers), body: await compress(body, { level: 1 }) };
}

/** Is it bytes in pieces? */
export const isPieces = (body: Encoded | DocumentBody): body is readonly Uint8Array[] => Array.isArray(body);

/** Long bodies are compressed, encrypted and sent as a stream, so that other requests go on. */
export async function inPieces(
  request: ApiRequest,
  code: number,
  headers: WireHeaders,
  pieces: readonly Uint8Array[],
): Promise<WireDocument | WireParts> {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (length < inPiecesFrom) return finished(request, code, headers, Buffer.concat(pieces, length));
  const parts = Readable.from(pieces);
  if (!acceptsGzip(request)) {
    return { type: 'parts', code, headers: { ...headers, 'content-length': String(length) }, parts, held: length };
  }
  return { type: 'parts', code, headers: zipped(headers), parts: parts.pipe(createGzip({ level: 1 })), held: length };
}
