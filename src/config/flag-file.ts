import { errorText } from '../apimachinery/error-text.ts';
import { readBoundedFile } from './bounded-file.ts';
import { ConfigError } from './config-error.ts';

/** The text of a file that a flag names. Throws ConfigError when it cannot be read. */
export function readFlagFile(flag: string, path: string): string {
  try {
    return readBoundedFile(path);
  } catch (error) {
    throw new ConfigError(`${flag} ${path} cannot be read: ${errorText(error)}`);
  }
}
