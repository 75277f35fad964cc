import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';

/** An empty folder, removed after the tests of the file, or after those of another `hook`. */
export function temporaryFolder(hook: (remove: () => void) => unknown = afterAll): string {
  const folder = mkdtempSync(join(tmpdir(), 'kadmit-test-'));
  hook(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a file, with the folders on its way, and returns its path. */
export function writeIn(folder: string, name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

/** Writes objects as the documents of a file. */
export const writeObjects = (folder: string, name: string, ...objects: readonly unknown[]): string =>
  writeIn(folder, name, objects.map((one) => JSON.stringify(one)).join('\n---\n'));
