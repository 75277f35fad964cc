import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import { errorText } from '../../../machinery/errors.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { type SnapshotSelection, fetchAll } from './fetch-all.ts';
import type { SnapshotEnd, SnapshotHeader } from './read-snapshot.ts';

/** Resolves with the number of objects. Rejects with ConfigError. */
export async function saveTo(
  file: string,
  { kubeconfig, ...chosen }: SnapshotSelection & { readonly kubeconfig: string },
): Promise<number> {
  const access = await readKubeconfig(kubeconfig);
  const header = {
    kadmitSnapshot: 1,
    takenAt: new Date().toISOString(),
    server: access.url,
    secrets: chosen.secrets || chosen.kinds.includes('secrets'),
  } as const;
  try {
    return await writeSnapshot(file, header, fetchAll(access, chosen));
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`${file} cannot be written: ${errorText(error)}`);
  }
}

/**
 * Streams a snapshot into a file with mode 0600 (it may contain Secrets), gzipped if the name ends with .gz. The file gets its name when it
 * is complete. Resolves with the number of objects.
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
