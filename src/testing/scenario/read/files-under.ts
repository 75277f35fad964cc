import { readdirSync } from 'node:fs';
import { join } from 'node:path';

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
