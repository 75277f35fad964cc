import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { errorText } from '../../../machinery/errors.ts';
import { readBytesUpTo } from '../../../machinery/files/bounded-file.ts';
import { didYouMean } from '../../../machinery/nearest-name.ts';
import type { Located } from './located.ts';
import type { ScenarioReader } from './problems.ts';
import { scalarText } from './scalar-text.ts';

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

/** Relative to the scenario's folder; undefined when it does not exist. */
export function existingFile(at: Located, { folder, problems, uses }: ScenarioReader): string | undefined {
  const written = scalarText(at.value);
  const path = isAbsolute(written) ? written : join(folder, written);
  uses(path);
  if (written !== '' && existsSync(path)) return path;
  problems.at(at, `there is no file ${written === '' ? '""' : written}${nearestFile(path)}`);
  return undefined;
}

function nearestFile(path: string): string {
  try {
    return didYouMean(basename(path), readdirSync(dirname(path)));
  } catch {
    return ''; // The folder is not there either.
  }
}

/** Sorted, without hidden folders and node_modules. Links to folders are not followed; unreadable folders are skipped. */
export const filesUnder = (folder: string): readonly string[] =>
  filesBelow(folder, (name) => name.startsWith('.') || name === 'node_modules');

/** Includes hidden folders, except .git. */
export const allFilesUnder = (folder: string): readonly string[] =>
  filesBelow(folder, (name) => name === '.git' || name === 'node_modules');

function filesBelow(folder: string, isLeftOut: (name: string) => boolean): readonly string[] {
  const entries = entriesOf(folder).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return [path];
    return isLeftOut(entry.name) ? [] : filesBelow(path, isLeftOut);
  });
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
