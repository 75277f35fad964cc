import { closeSync, openSync, readSync } from 'node:fs';
import { errorText } from '../../apimachinery/error-text.ts';

export type TextReading =
  | { readonly outcome: 'read'; readonly text: string }
  | { readonly outcome: 'unreadable'; readonly error: string };

const longestFile = 16 * 1024 * 1024;

/** The text of a file in UTF-8, without a byte order mark, or why there is none. */
export function readTextFile(path: string): TextReading {
  try {
    const bytes = bytesOf(path);
    if (bytes === undefined) return { outcome: 'unreadable', error: 'is longer than 16 MiB' };
    return { outcome: 'read', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return { outcome: 'unreadable', error: 'there is no such file' };
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      return { outcome: 'unreadable', error: 'is no text in UTF-8: save it in that encoding' };
    if (code === 'EISDIR') return { outcome: 'unreadable', error: 'is a folder, not a file' };
    return { outcome: 'unreadable', error: errorText(error) };
  }
}

/** undefined for too many. Pipes and devices do not say how many they have. */
function bytesOf(path: string): Buffer | undefined {
  const file = openSync(path, 'r');
  try {
    const chunks: Buffer[] = [];
    for (let size = 0; size <= longestFile;) {
      const chunk = Buffer.alloc(Math.min(longestChunk, shortestChunk + size));
      const read = readSync(file, chunk);
      if (read === 0) return Buffer.concat(chunks);
      chunks.push(chunk.subarray(0, read));
      size += read;
    }
    return undefined;
  } finally {
    closeSync(file);
  }
}

const shortestChunk = 8 * 1024;
const longestChunk = 1024 * 1024;
