import { createReadStream, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { errorText } from '../../machinery/errors.ts';
import { readBoundedFile } from '../files/bounded-file.ts';
import { ConfigError, commandFailed } from './config-error.ts';
import { dirname, isAbsolute, join } from 'node:path';

/** Throws ConfigError when the file cannot be read. */
export const readFlagFile = (flag: string, path: string, maxBytes?: number): string =>
  tryRead(`${flag} ${path}`, () => readBoundedFile(path, maxBytes));

/** The result of `read`; its errors become a ConfigError. */
export function tryRead<T>(title: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new ConfigError(`${title} cannot be read: ${errorText(error)}`);
  }
}

/** Errors of `write` become a ConfigError. */
export function tryWrite(title: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`${title} cannot be written: ${errorText(error)}`);
  }
}

/** Throws StartFailure with Go's error when the file cannot be read: `open x: no such file or directory`. */
export function readGoFile(path: string, failed: (goError: string) => string = (goError) => goError): string {
  try {
    return readBoundedFile(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const reason = goReasons.get(code);
    throw commandFailed(failed(reason === undefined ? errorText(error) : `open ${path}: ${reason}`));
  }
}

/** Go's texts by error code. */
export const goReasons: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'no such file or directory'],
  ['EACCES', 'permission denied'],
  ['EISDIR', 'is a directory'],
  ['ENOTDIR', 'not a directory'],
]);

/** The result, or the system's error in Go's words: `no such file or directory`. */
export type GoResult<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: string };

export function tryGo<T>(act: () => T): GoResult<T> {
  try {
    return { ok: true, value: act() };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return { ok: false, error: goReasons.get(code) ?? errorText(error) };
  }
}

/** The text of a plain or gzipped file, streamed. Rejects when it cannot be read. */
export async function* unpackedText(file: string): AsyncGenerator<string> {
  const isPacked = await isGzipped(file);
  const raw = createReadStream(file);
  const source = isPacked ? gunzip(raw) : raw;
  const decoder = new TextDecoder();
  for await (const chunk of source) yield decoder.decode(chunk as Uint8Array, { stream: true }); // A stream without encoding.
}

/** pipe() does not forward errors, which would end the process. */
function gunzip(raw: Readable): Readable {
  const unzip = createGunzip();
  raw.on('error', (error) => unzip.destroy(error));
  return raw.pipe(unzip);
}

async function isGzipped(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await handle.close();
  }
}

/** Reads the files that flags and configurations name, with Go's errors. */
export const configurationFiles = {
  read: (path: string): GoResult<string> => tryGo(() => readBoundedFile(path)),
  isFolder: (path: string): GoResult<boolean> => {
    const entry = tryGo(() => statSync(path));
    return entry.ok
      ? { ok: true, value: entry.value.isDirectory() }
      : { ok: false, error: `stat ${path}: ${entry.error}` };
  },
  /** Resolves `path` against the folder of the file `from`. */
  beside: (from: string, path: string): string => (isAbsolute(path) ? path : join(dirname(from), path)),
  isAbsolute,
};
