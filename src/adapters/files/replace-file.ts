import { renameSync } from 'node:fs';

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
