import { readFileSync } from 'node:fs';

export type TextReading =
  | { readonly outcome: 'read'; readonly text: string }
  | { readonly outcome: 'unreadable'; readonly error: string };

/** The text of a file in UTF-8, without a byte order mark, or why there is none. */
export function readTextFile(path: string): TextReading {
  try {
    return { outcome: 'read', text: new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return { outcome: 'unreadable', error: 'there is no such file' };
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      return { outcome: 'unreadable', error: 'is no text in UTF-8: save it in that encoding' };
    if (code === 'EISDIR') return { outcome: 'unreadable', error: 'is a folder, not a file' };
    return { outcome: 'unreadable', error: error instanceof Error ? error.message : String(error) };
  }
}
