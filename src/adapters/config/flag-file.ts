import { errorText } from '../../machinery/error-text.ts';
import { readBoundedFile } from '../../machinery/files/bounded-file.ts';
import { ConfigError } from './config-error.ts';
import { commandFailed } from './start-failure.ts';

/** Throws ConfigError when the file cannot be read. */
export function readFlagFile(flag: string, path: string): string {
  try {
    return readBoundedFile(path);
  } catch (error) {
    throw new ConfigError(`${flag} ${path} cannot be read: ${errorText(error)}`);
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
