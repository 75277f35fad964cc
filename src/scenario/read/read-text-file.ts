import { readFileSync } from 'node:fs';

export type TextReading =
  | { readonly outcome: 'read'; readonly text: string }
  | { readonly outcome: 'unreadable'; readonly error: string };

/** The text of a file, or why there is none. */
export function readTextFile(path: string): TextReading {
  try {
    return { outcome: 'read', text: readFileSync(path, 'utf8') };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return { outcome: 'unreadable', error: 'there is no such file' };
    if (code === 'EISDIR') return { outcome: 'unreadable', error: 'is a folder, not a file' };
    return { outcome: 'unreadable', error: error instanceof Error ? error.message : String(error) };
  }
}
