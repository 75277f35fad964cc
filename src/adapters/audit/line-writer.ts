import { close, fstatSync, openSync, write, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../../machinery/files/make-folder.ts';

/** Writes lines in order. */
export interface LineWriter {
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
