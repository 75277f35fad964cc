import { closeSync, openSync, readSync } from 'node:fs';

const longest = 16 * 1024 * 1024;

/** The text of a file, a pipe or a device that somebody names. Throws when it cannot be read or has no end within 16 MiB. */
export function readBoundedFile(path: string): string {
  const file = openSync(path, 'r');
  try {
    const chunks: Buffer[] = [];
    for (let size = 0; size <= longest;) {
      const chunk = Buffer.alloc(64 * 1024);
      const read = readSync(file, chunk);
      if (read === 0) return Buffer.concat(chunks).toString('utf8');
      chunks.push(chunk.subarray(0, read));
      size += read;
    }
  } finally {
    closeSync(file);
  }
  throw new Error('it is longer than 16 MiB');
}
