import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that goes with the process if nobody removes it before: it holds keys. */
export interface TemporaryFolder {
  readonly path: string;
  readonly remove: () => void;
}

const folders = new Set<string>();

const remove = (path: string): void => {
  rmSync(path, { recursive: true, force: true });
  folders.delete(path);
  if (folders.size === 0) process.off('exit', removeAll);
};

const removeAll = (): void => folders.forEach(remove);

/** Makes one that its owner alone may read. */
export function makeTemporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), 'kadmit-'));
  if (folders.size === 0) process.on('exit', removeAll);
  folders.add(path);
  return { path, remove: () => remove(path) };
}
