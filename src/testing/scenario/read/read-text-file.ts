import { errorText } from '../../../machinery/error-text.ts';
import { readBytesUpTo } from '../../../machinery/files/bounded-file.ts';

export type TextReading =
  | { readonly outcome: 'read'; readonly text: string }
  | { readonly outcome: 'unreadable'; readonly error: string };

const longestFile = 16 * 1024 * 1024;

/** UTF-8 without a byte order mark. */
export function readTextFile(path: string): TextReading {
  try {
    const bytes = readBytesUpTo(path, longestFile);
    if (bytes === undefined) return { outcome: 'unreadable', error: 'is longer than 16 MiB' };
    return { outcome: 'read', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return { outcome: 'unreadable', error: 'there is no such file' };
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      return { outcome: 'unreadable', error: 'is no text in UTF-8: save it in that encoding' };
    if (code === 'EISDIR') return { outcome: 'unreadable', error: 'is a folder, not a file' };
    return { outcome: 'unreadable', error: errorText(error) };
  }
}
