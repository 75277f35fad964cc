import { errorText } from '../../machinery/error-text.ts';
import { readBoundedFile } from '../../machinery/files/bounded-file.ts';
import { ConfigError } from './config-error.ts';
import { commandFailed } from './start-failure.ts';

/** The text of a file that a flag names. Throws ConfigError when it cannot be read. */
export function readFlagFile(flag: string, path: string): string {
  try {
    return readBoundedFile(path);
  } catch (error) {
    throw new ConfigError(`${flag} ${path} cannot be read: ${errorText(error)}`);
  }
}

/** The text of a file. Throws StartFailure in Go's words when it cannot be read: `open x: no such file or directory`. */
export function readGoFile(path: string, failed: (goError: string) => string = (goError) => goError): string {
  try {
    return readBoundedFile(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const reason = goReasons.get(code);
    throw commandFailed(failed(reason === undefined ? errorText(error) : `open ${path}: ${reason}`));
  }
}

/** As Go words what the system says. */
export const goReasons: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'no such file or directory'],
  ['EACCES', 'permission denied'],
  ['EISDIR', 'is a directory'],
  ['ENOTDIR', 'not a directory'],
]);
