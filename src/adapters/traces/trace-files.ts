import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../files/portable-files.ts';
import { traceText } from './trace-file.ts';
import type { LoggedTrace } from './trace-log.ts';

/** Writes each trace into its own file, readable by its owner only: traces can contain Secrets. */
export interface TraceFiles {
  readonly write: (recorded: LoggedTrace) => void;
  /** Resolves when all traces are written. */
  readonly flush: () => Promise<void>;
}

export interface TraceFileLimits {
  readonly maxFiles: number;
  /** Of all files together. */
  readonly maxBytes: number;
}

/** Further traces are dropped. */
const maxQueueLength = 1000;

/** Removes the oldest files beyond the limits. `onError` gets one line for each kind of problem. */
export function createTraceFiles(
  directory: string,
  limits: TraceFileLimits,
  onError: (text: string) => void,
): TraceFiles {
  makeFolder(directory, 0o700);
  const kept = createKeptFiles(directory, limits);
  const reported = new Set<string>();
  const report = (kind: string, text: string): void => {
    if (!reported.has(kind)) onError(`--trace-dir ${directory}: ${text}`);
    reported.add(kind);
  };
  let pending: Promise<void> = kept.prune().catch((error: unknown) => report('write', String(error)));
  let waiting = 0;
  const save = async ({ id, trace }: LoggedTrace): Promise<void> => {
    const name = traceFileName(id);
    const file = join(directory, name);
    const text = traceText(trace());
    try {
      await writeFile(`${file}.part`, text, { mode: 0o600 });
      await rename(`${file}.part`, file);
    } catch (error) {
      await rm(`${file}.part`, { force: true }); // What a full disk took of it is of no use.
      throw error;
    }
    kept.add(name, Buffer.byteLength(text));
    await kept.prune();
  };
  return {
    write: (recorded) => {
      if (waiting >= maxQueueLength) {
        report('queue', `more than ${maxQueueLength} traces wait to be written; further ones are dropped`);
        return;
      }
      waiting += 1;
      pending = pending
        .then(() => save(recorded))
        .catch((error: unknown) => report('write', String(error)))
        .finally(() => (waiting -= 1));
    },
    flush: () => pending,
  };
}

/** The trace files of the folder, oldest first. */
function createKeptFiles(directory: string, { maxFiles, maxBytes }: TraceFileLimits) {
  const sizes = new Map<string, number>();
  let total = 0;
  const drop = (name: string): void => {
    total -= sizes.get(name) ?? 0;
    sizes.delete(name);
  };
  const add = (name: string, size: number): void => {
    drop(name);
    sizes.set(name, size);
    total += size;
  };
  for (const { name, size } of filesByAge(directory)) add(name, size);
  return {
    add,
    /** Keeps at least the newest file. */
    prune: async (): Promise<void> => {
      for (const name of sizes.keys()) {
        if (sizes.size <= 1 || (sizes.size <= maxFiles && total <= maxBytes)) return;
        drop(name);
        await rm(join(directory, name), { force: true });
      }
    },
  };
}

const traceFile = /^(?:[0-9a-f]{64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.json$/;

const filesByAge = (directory: string): readonly { readonly name: string; readonly size: number }[] =>
  readdirSync(directory)
    .filter((name) => traceFile.test(name))
    .flatMap((name) => {
      const stat = statSync(join(directory, name), { throwIfNoEntry: false });
      return stat?.isFile() ? [{ name, size: stat.size, at: stat.mtimeMs }] : [];
    })
    .toSorted((one, other) => one.at - other.at);

/** An Audit-Id can be any text: a UUID names the file, any other one its hash. */
export const traceFileName = (id: string): string =>
  `${/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) ? id : createHash('sha256').update(id).digest('hex')}.json`;
