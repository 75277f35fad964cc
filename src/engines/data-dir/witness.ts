import { join } from 'node:path';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** Remembers outside of the engine how far it had come, so that an end that was cut off is missed. */
export interface Witness {
  /** The revision that it saw last; 0 for none. */
  readonly seen: () => number;
  /** What cannot be written, on a full disk, stays behind: then less of an end that was cut off is missed, and nothing else. */
  readonly note: (revision: number) => void;
}

/** A file beside the engine's. It is behind by a moment at times, never ahead. */
export function createWitness(directory: string): Witness {
  const path = join(directory, 'REVISION');
  return {
    seen: () => {
      try {
        return Number(readFileSync(path, 'utf8').trim()) || 0;
      } catch {
        return 0;
      }
    },
    note: (revision) => {
      try {
        writeFileSync(`${path}.new`, `${revision}\n`);
        renameSync(`${path}.new`, path);
      } catch {
        rmSync(`${path}.new`, { force: true, recursive: true });
      }
    },
  };
}
