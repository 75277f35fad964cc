import {
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { gzipSync } from 'node:zlib';

interface LineWriter {
  readonly write: (line: string) => void;
  /** Resolves when all lines are written or dropped. */
  readonly close: () => Promise<void>;
}

/** Bytes kept in memory for a reader that is stuck. */
const maxPendingBytes = 64 * 1024 * 1024;

/**
 * Writes lines to a stream such as standard output and leaves it open. Drops what cannot be written and calls `onError`
 * once until a write succeeds.
 */
export function openLineStream(stream: Writable, onError: (text: string) => void): LineWriter {
  let hasFailed = false;
  const report = (text: string): void => {
    if (!hasFailed) onError(text);
    hasFailed = true;
  };
  // The callback receives the error too; an "error" event without a listener would end the process.
  stream.on('error', () => {});
  return {
    write: (line) => {
      if (stream.writableLength > maxPendingBytes) return report('too much waits to be written');
      stream.write(`${line}\n`, (error) => {
        if (error) report(error.message);
        else hasFailed = false;
      });
    },
    close: () => new Promise((resolve) => stream.write('', () => resolve())),
  };
}

interface Rotation {
  /** Bytes; 0: never. */
  readonly maxBytes: number;
  /** 0: all. */
  readonly maxBackups: number;
  /** Milliseconds; 0: for good. */
  readonly maxAge: number;
  readonly compress: boolean;
}

interface RotatingFile {
  readonly write: (bytes: Buffer) => void;
  readonly close: () => void;
}

const day = 24 * 3_600_000;
export const daysMs = (days: number): number => days * day;

/**
 * Renames a file that becomes too large after the time of day: `audit-2026-01-31T10-11-12.345.log`. Follows
 * lumberjack.v2, with its names. Throws when it cannot write.
 */
export function openRotatingFile(path: string, rotation: Rotation, now: () => number): RotatingFile {
  let descriptor = openSync(path, 'a', 0o600);
  const isFile = fstatSync(descriptor).isFile();
  let size = fstatSync(descriptor).size;
  tidy(path, rotation, now());
  const rotate = (): void => {
    closeSync(descriptor);
    renameSync(path, backupName(path, now()));
    descriptor = openSync(path, 'a', 0o600);
    size = 0;
    tidy(path, rotation, now());
  };
  return {
    write: (bytes) => {
      const isFull = rotation.maxBytes > 0 && size > 0 && size + bytes.length > rotation.maxBytes;
      if (isFull && isFile) rotate();
      for (let from = 0; from < bytes.length;) from += writeSync(descriptor, bytes, from);
      size += bytes.length;
    },
    close: () => closeSync(descriptor),
  };
}

const stampOf = (at: number): string => new Date(at).toISOString().replaceAll(':', '-').replace('Z', '');

const partsOf = (path: string): readonly [prefix: string, extension: string] => {
  const extension = extname(path);
  return [`${basename(path, extension)}-`, extension];
};

function backupName(path: string, at: number): string {
  const [prefix, extension] = partsOf(path);
  return join(dirname(path), `${prefix}${stampOf(at)}${extension}`);
}

interface Backup {
  readonly name: string;
  readonly at: number;
}

/** Latest first. */
function backupsOf(path: string): readonly Backup[] {
  const [prefix, extension] = partsOf(path);
  return readdirSync(dirname(path))
    .flatMap((name) => {
      const plain = name.replace(/\.gz$/, '');
      if (!plain.startsWith(prefix) || !plain.endsWith(extension)) return [];
      const stamp = plain.slice(prefix.length, plain.length - extension.length);
      const [, date, hours, minutes, seconds] = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d{3})$/.exec(stamp) ?? [];
      const at = Date.parse(`${date}T${hours}:${minutes}:${seconds}Z`);
      return Number.isNaN(at) ? [] : [{ name, at }];
    })
    .toSorted((a, b) => b.at - a.at);
}

function tidy(path: string, { maxBackups, maxAge, compress }: Rotation, now: number): void {
  backupsOf(path).forEach(({ name, at }, index) => {
    const file = join(dirname(path), name);
    const isTooMany = maxBackups > 0 && index >= maxBackups;
    if (isTooMany || (maxAge > 0 && now - at > maxAge)) rmSync(file, { force: true });
    else if (compress && !name.endsWith('.gz')) {
      writeFileSync(`${file}.gz`, gzipSync(readFileSync(file)), { mode: 0o600 });
      rmSync(file, { force: true });
    }
  });
}
