import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** The text of a plain or gzipped file, streamed. Rejects when it cannot be read. */
export async function* unpackedText(file: string): AsyncGenerator<string> {
  const isPacked = await isGzipped(file);
  const raw = createReadStream(file);
  const source = isPacked ? unzipped(raw) : raw;
  const decoder = new TextDecoder();
  for await (const chunk of source) yield decoder.decode(chunk as Uint8Array, { stream: true }); // A stream without encoding.
}

/** pipe() does not forward errors, which would end the process. */
function unzipped(raw: Readable): Readable {
  const unzip = createGunzip();
  raw.on('error', (error) => unzip.destroy(error));
  return raw.pipe(unzip);
}

async function isGzipped(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await handle.close();
  }
}
