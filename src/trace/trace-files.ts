import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { traceText } from './trace-text.ts';
import type { Recorded } from './trace-log.ts';

/** Writes each trace into a folder of its own file, which only its owner may read: traces can hold Secrets. */
export interface TraceFiles {
  readonly write: (recorded: Recorded) => void;
  /** Resolves when every trace so far is on disk. */
  readonly flush: () => Promise<void>;
}

/** `onError` is told once if the folder cannot be written. */
export function createTraceFiles(directory: string, onError: (text: string) => void): TraceFiles {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  let pending: Promise<void> = Promise.resolve();
  let complained = false;
  const save = async ({ id, trace }: Recorded): Promise<void> => {
    const file = join(directory, traceFileName(id));
    try {
      await writeFile(`${file}.part`, traceText(trace()), { mode: 0o600 });
      await rename(`${file}.part`, file);
    } catch (error) {
      await rm(`${file}.part`, { force: true }); // What a full disk took of it is of no use.
      throw error;
    }
  };
  return {
    write: (recorded) => {
      pending = pending
        .then(() => save(recorded))
        .catch((error: unknown) => {
          if (!complained) onError(`--trace-dir ${directory}: ${String(error)}`);
          complained = true;
        });
    },
    flush: () => pending,
  };
}

/** An Audit-Id can be any text the client likes: only one that is a UUID names the file, any other by its hash. */
export const traceFileName = (id: string): string =>
  `${/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) ? id : createHash('sha256').update(id).digest('hex')}.json`;
