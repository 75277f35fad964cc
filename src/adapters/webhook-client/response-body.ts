import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { CallFailure } from './call-failure.ts';
import { systemError } from './network-error.ts';

/** Ours: kube-apiserver reads a response of any length. No object that could be stored needs a longer one. */
export const maxResponseBytes = 8 * 1024 * 1024;

const tooLong = `the answer is longer than ${maxResponseBytes} bytes, the most that kadmit reads`;

/** All bytes of a stream, which is destroyed when there are too many. */
export async function readBody(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    const bytes: Buffer = chunk;
    length += bytes.length;
    if (length > maxResponseBytes) {
      await new Promise(setImmediate); // As `afterReading`.
      stream.destroy();
      throw new CallFailure('body', tooLong);
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks, length);
}

/** What a gzipped body contains. Follows Go's compress/gzip gunzip.go, which takes an empty body for an empty file. */
export async function gunzipBody(body: Buffer): Promise<Buffer> {
  if (body.length === 0) return body;
  if (body.length < gzipHeaderBytes) throw new CallFailure('body', 'unexpected EOF');
  const gunzip = createGunzip();
  gunzip.end(body);
  try {
    return await readBody(gunzip);
  } catch (error) {
    throw error instanceof CallFailure ? error : new CallFailure('body', gzipText(systemError(error).message));
  }
}

const gzipHeaderBytes = 10;

/** zlib's messages in Go's words. */
const gzipTexts: Readonly<Record<string, string>> = {
  'unexpected end of file': 'unexpected EOF',
  'incorrect header check': 'gzip: invalid header',
  'unknown compression method': 'gzip: invalid header',
  'header crc mismatch': 'gzip: invalid header',
  'incorrect data check': 'gzip: invalid checksum',
  'incorrect length check': 'gzip: invalid checksum',
};

const gzipText = (message: string): string => gzipTexts[message] ?? 'flate: corrupt input';
