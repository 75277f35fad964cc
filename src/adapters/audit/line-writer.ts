import {
  close,
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  write,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { makeFolder } from '../../machinery/files/make-folder.ts';

/** Writes lines in order. */
interface LineWriter {
  readonly write: (line: string) => void;
  /** Resolves when all lines are written or dropped. */
  readonly close: () => Promise<void>;
}

/** Characters kept in memory for a disk or reader that is stuck. */
const mostPending = 64 * 1024 * 1024;

/**
 * Appends to a file, created with mode 0600; a line is in the file when `write` returns, as in upstream's blocking
 * mode. Writes to pipes are not awaited: their reader may be stuck. Throws when the file cannot be opened. Follows
 * apiserver plugin/pkg/audit/log/backend.go.
 */
export function openLineFile(path: string, onError: (text: string) => void): LineWriter {
  makeFolder(dirname(path), 0o700);
  const descriptor = openSync(path, 'a', 0o600);
  const send = fstatSync(descriptor).isFile() ? writeAllNow : writeAll;
  const writer = createLineWriter((bytes, done) => send(descriptor, bytes, done), onError);
  return {
    write: writer.write,
    close: async () => {
      await writer.close();
      await new Promise<void>((resolve) => close(descriptor, () => resolve()));
    },
  };
}

type Done = (error?: Error | null) => void;

function writeAllNow(descriptor: number, bytes: Buffer, done: Done): void {
  let error: Error | null = null;
  try {
    for (let from = 0; from < bytes.length;) from += writeSync(descriptor, bytes, from);
  } catch (thrown) {
    error = thrown instanceof Error ? thrown : new Error(String(thrown));
  }
  done(error);
}

/** A write may be partial. */
function writeAll(descriptor: number, bytes: Buffer, done: Done): void {
  write(descriptor, bytes, (error, count) => {
    if (error || count === bytes.length) done(error);
    else writeAll(descriptor, bytes.subarray(count), done);
  });
}

/** Writes to a stream such as standard output and leaves it open. */
export function openLineStream(stream: NodeJS.WritableStream, onError: (text: string) => void): LineWriter {
  // The callback receives the error too; an "error" event without a listener would end the process.
  stream.on('error', () => {});
  return createLineWriter((bytes, done) => void stream.write(bytes, done), onError);
}

/**
 * Joins lines that arrive during a write into the next one. Drops what cannot be written and calls `onError` once
 * until a write succeeds.
 */
export function createLineWriter(
  send: (bytes: Buffer, done: Done) => void,
  onError: (text: string) => void,
): LineWriter {
  let pending: string[] = [];
  let length = 0;
  let isSending = false;
  let hasFailed = false;
  let idle: (() => void)[] = [];
  const complain = (text: string): void => {
    if (!hasFailed) onError(text);
    hasFailed = true;
  };
  const sendNext = (): void => {
    isSending = pending.length > 0;
    if (!isSending) {
      const waiting = idle;
      idle = [];
      for (const resolve of waiting) resolve();
      return;
    }
    const bytes = Buffer.from(pending.join(''));
    [pending, length] = [[], 0];
    send(bytes, (error) => {
      if (error) complain(error.message);
      else hasFailed = false;
      sendNext();
    });
  };
  return {
    write: (line) => {
      if (length > mostPending) return complain('too much waits to be written');
      pending.push(`${line}\n`);
      length += line.length;
      if (!isSending) sendNext();
    },
    close: () => (isSending ? new Promise((resolve) => idle.push(resolve)) : Promise.resolve()),
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
