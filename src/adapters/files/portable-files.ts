import path from 'node:path';
import { mkdirSync, statSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';

/** With slashes, for reports and documents that are read elsewhere. */
export const portablePath = (name: string, { sep }: Pick<typeof path, 'sep'> = path): string =>
  sep === '/' ? name : name.replaceAll(sep, '/');

/** Whether it is this folder or in it. Windows ignores the case of letters. */
export function isPathWithin(
  name: string,
  folder: string,
  paths: Pick<typeof path, 'relative' | 'isAbsolute' | 'sep'> = path,
): boolean {
  const way = paths.relative(folder, name);
  return way !== '..' && !way.startsWith(`..${paths.sep}`) && !paths.isAbsolute(way);
}

/**
 * Makes a folder and those it is in; one that is there stays as it is. Node's own recursive mkdir never ends below /proc, where
 * a parent exists and nothing can be made in it.
 */
export function makeFolder(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
    if (code === 'EEXIST' && isFolder(path)) return;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    makeFolder(dirname(path), mode);
    mkdirSync(path, { mode });
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

interface ReplacePorts {
  readonly platform?: NodeJS.Platform;
  readonly rename?: (from: string, to: string) => void;
}

/**
 * Renames a file over another one, so that no reader sees a half-written file. Windows refuses while another process reads the old
 * one: there it is tried again for a second.
 */
export function replaceFile(
  draft: string,
  path: string,
  { platform = process.platform, rename = renameSync }: ReplacePorts = {},
): void {
  for (let left = platform === 'win32' ? 50 : 0; ; left -= 1) {
    try {
      return rename(draft, path);
    } catch (error) {
      if (left === 0 || !isInUse(error)) throw error;
    }
    Atomics.wait(sleeping, 0, 0, pauseMs);
  }
}

const pauseMs = 20;
const sleeping = new Int32Array(new SharedArrayBuffer(4));

const isInUse = (error: unknown): boolean =>
  error instanceof Error && ['EPERM', 'EACCES', 'EBUSY'].includes(String(Reflect.get(error, 'code')));
