import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Seconds to wait for the first bytes of a pipe, and for each further part. */
export interface PipeTimeouts {
  readonly writer: number;
  readonly more: number;
}

const defaultTimeouts: PipeTimeouts = { writer: 10, more: 60 };

const megabyte = 1024 * 1024;

const defaultMaxBytes = 16 * megabyte;

/**
 * The text of a file, pipe or device, by path or file descriptor. Throws when it cannot be read or is longer than
 * `maxBytes` bytes.
 */
export const readBoundedFile = (
  path: string | number,
  maxBytes = defaultMaxBytes,
  timeouts = defaultTimeouts,
): string => readBoundedBytes(path, maxBytes, timeouts).toString('utf8');

export function readBoundedBytes(path: string | number, maxBytes: number, timeouts = defaultTimeouts): Buffer {
  const bytes = readBytesUpTo(path, maxBytes, timeouts);
  if (bytes === undefined) throw new Error(`it is longer than ${maxBytes / megabyte} MiB`);
  return bytes;
}

/** The text of a regular file. Throws at once for a pipe or a device, since waiting for it would block other requests. */
export function readRegularFile(path: string, maxBytes = defaultMaxBytes): string {
  // Opened before the check: the file at the path may change in between.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const entry = fstatSync(file);
    if (!entry.isFile() && !entry.isDirectory()) throw new Error('it is no regular file');
    return readBoundedFile(file, maxBytes);
  } finally {
    closeSync(file);
  }
}

/** Its bytes; undefined when there are more. Pipes and devices do not say how many they have. */
export function readBytesUpTo(path: string | number, maxBytes: number, timeouts = defaultTimeouts): Buffer | undefined {
  // Without O_NONBLOCK, opening a named pipe waits for a writer, for ever.
  const file = typeof path === 'number' ? path : openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const chunks: Buffer[] = [];
    for (let size = 0; size <= maxBytes;) {
      const chunk = Buffer.alloc(Math.min(megabyte, 8 * 1024 + size));
      const read = readSome(file, chunk, size === 0, timeouts);
      if (read === 0) return Buffer.concat(chunks);
      chunks.push(chunk.subarray(0, read));
      size += read;
    }
    return undefined;
  } finally {
    if (typeof path === 'string') closeSync(file);
  }
}

const everyMs = 20;

/** How many bytes were read; 0 at the end. Of a pipe it waits for what comes, but not for ever. */
function readSome(file: number, chunk: Buffer, isFirst: boolean, timeouts: PipeTimeouts): number {
  for (let waitedMs = 0; ; waitedMs += everyMs) {
    const read = readNow(file, chunk);
    const isSilent = isFirst && read === 0 && file !== 0 && fstatSync(file).isFIFO();
    if (read !== undefined && !isSilent) return read;
    const max = isSilent ? timeouts.writer : timeouts.more;
    if (waitedMs >= max * 1000) throw new Error(`nothing was written to it for ${max} s`);
    Atomics.wait(sleeping, 0, 0, everyMs);
  }
}

const sleeping = new Int32Array(new SharedArrayBuffer(4));

/** undefined: the pipe is open, and empty for now. */
function readNow(file: number, chunk: Buffer): number | undefined {
  try {
    return readSync(file, chunk);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return undefined;
    throw error;
  }
}
