import { closeSync, openSync, readSync } from 'node:fs';

const megabyte = 1024 * 1024;

/** Of what somebody wrote by hand. */
const usual = 16 * megabyte;

/**
 * The text of a file, a pipe or a device that somebody names, or of what is open already. Throws when it cannot be read or
 * has no end within `longest` bytes.
 */
export const readBoundedFile = (path: string | number, longest = usual): string =>
  readBoundedBytes(path, longest).toString('utf8');

/** The same as bytes. */
export function readBoundedBytes(path: string | number, longest: number): Buffer {
  const bytes = bytesWithin(path, longest);
  if (bytes === undefined) throw new Error(`it is longer than ${longest / megabyte} MiB`);
  return bytes;
}

/** The same; undefined when there are more. Pipes and devices do not say how many they have. */
export function bytesWithin(path: string | number, longest: number): Buffer | undefined {
  const file = typeof path === 'number' ? path : openSync(path, 'r');
  try {
    const chunks: Buffer[] = [];
    for (let size = 0; size <= longest;) {
      const chunk = Buffer.alloc(Math.min(megabyte, 8 * 1024 + size));
      const read = readSync(file, chunk);
      if (read === 0) return Buffer.concat(chunks);
      chunks.push(chunk.subarray(0, read));
      size += read;
    }
    return undefined;
  } finally {
    if (typeof path === 'string') closeSync(file);
  }
}
