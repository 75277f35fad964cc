import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import type { SnapshotEnd, SnapshotHeader } from './format.ts';

/**
 * Writes a snapshot as its objects come, gzipped if its name ends with .gz; readable by its owner only, since it may hold
 * Secrets. It is there under its name when it is whole. Resolves with how many objects it holds.
 */
export async function writeSnapshot(
  path: string,
  header: SnapshotHeader,
  pages: AsyncIterable<readonly KubernetesObject[]>,
): Promise<number> {
  let objects = 0;
  async function* lines(): AsyncGenerator<string> {
    yield `${JSON.stringify(header)}\n`;
    for await (const page of pages) {
      objects += page.length;
      yield page.map((object) => `${writeJson(object)}\n`).join('');
    }
    yield `${JSON.stringify({ objects } satisfies SnapshotEnd)}\n`;
  }
  const draft = `${path}.${process.pid}`;
  const file = createWriteStream(draft, { mode: 0o600 });
  try {
    const source = Readable.from(lines(), { objectMode: false });
    await (path.endsWith('.gz') ? pipeline(source, createGzip(), file) : pipeline(source, file));
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  return objects;
}
