import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, extname, isAbsolute, join } from 'node:path';
import { errorText } from '../../../machinery/errors.ts';
import { readBytesUpTo } from '../../../adapters/files/bounded-file.ts';
import { didYouMean } from '../../../machinery/nearest-name.ts';
import { loadPlugin } from '../../stubs/load-plugin.ts';
import { loadScript, loadScriptText } from '../../stubs/load-script.ts';
import { type Located, readLocated } from './located.ts';
import type { Problems, NamedFiles } from './problems.ts';
import { scalarText } from './scalar-text.ts';

export type TextReading =
  | { readonly outcome: 'read'; readonly text: string }
  | { readonly outcome: 'unreadable'; readonly error: string };

const maxFileBytes = 16 * 1024 * 1024;

/** UTF-8 without a byte order mark. */
export function readTextFile(path: string): TextReading {
  try {
    const bytes = readBytesUpTo(path, maxFileBytes);
    if (bytes === undefined) return { outcome: 'unreadable', error: 'is longer than 16 MiB' };
    return { outcome: 'read', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return { outcome: 'unreadable', error: 'there is no such file' };
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      return { outcome: 'unreadable', error: 'is no text in UTF-8: save it in that encoding' };
    if (code === 'ENAMETOOLONG') return { outcome: 'unreadable', error: tooLong };
    if (code === 'EISDIR') return { outcome: 'unreadable', error: 'is a folder, not a file' };
    return { outcome: 'unreadable', error: errorText(error) };
  }
}

export interface FolderOptions {
  /** The scenario depends on this file. */
  readonly uses: (file: string) => void;
  /** If set, scripts are not loaded, and this is called for each. */
  readonly needsScript?: () => void;
}

/** Files that a scenario in this folder names. */
export function filesOfFolder(folder: string, { uses, needsScript }: FolderOptions): NamedFiles {
  const leftOut = async (): Promise<{ readonly outcome: 'left-out' }> => {
    needsScript?.();
    return { outcome: 'left-out' };
  };
  return {
    find: (at, problems) => {
      const written = scalarText(at.value);
      const path = isAbsolute(written) ? written : join(folder, written);
      uses(path);
      if (written !== '' && existsSync(path)) return path;
      problems.at(at, `there is no file ${written === '' ? '""' : written}${nearestFile(path)}`);
      return undefined;
    },
    isFolder,
    documents: (path, problems) => manifestFiles(path).flatMap((file) => documentsOf(file, { problems, uses })),
    golden: (at, problems) => {
      const golden = scalarText(at.value);
      if (!isAbsolute(golden)) return join(folder, golden);
      problems.at(at, `${golden} is an absolute path: give one below the folder of the scenario`);
      return undefined;
    },
    loadScript: needsScript ? leftOut : loadScript,
    loadScriptText: needsScript ? leftOut : (text) => loadScriptText(join(folder, inlineScript), text),
    loadPlugin: needsScript ? leftOut : loadPlugin,
  };
}

/** What errors name, and what imports are relative to. */
const inlineScript = 'inline-script.ts';

const tooLong = 'this path is too long for the file system: give the path of an existing file or folder';

/** `problem`: neither a file nor a folder. */
export function pathType(path: string): 'file' | 'folder' | { readonly problem: string } {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats) return { problem: 'there is no such file or folder' };
    return stats.isDirectory() ? 'folder' : 'file';
  } catch (error) {
    const isTooLong = error instanceof Error && 'code' in error && error.code === 'ENAMETOOLONG';
    return { problem: isTooLong ? tooLong : `cannot be read: ${errorText(error)}` };
  }
}

export const isFolder = (path: string): boolean => pathType(path) === 'folder';

const extensions = new Set(['.yaml', '.yml', '.json']);

const isManifest = (path: string): boolean =>
  extensions.has(extname(path)) && !/^scenario\.ya?ml$/.test(basename(path));

export const manifestFiles = (path: string): readonly string[] =>
  isFolder(path) ? filesUnder(path).filter(isManifest) : [path];

interface DocumentPorts extends Pick<FolderOptions, 'uses'> {
  readonly problems: Problems;
}

export function documentsOf(file: string, { problems, uses }: DocumentPorts): readonly Located[] {
  uses(file);
  const reading = readTextFile(file);
  if (reading.outcome === 'unreadable') {
    problems.add({ place: { file, line: 1, column: 1 }, path: '', message: reading.error });
    return [];
  }
  const { documents, problems: broken } = readLocated(file, reading.text);
  for (const problem of broken) problems.add({ ...problem, path: '' });
  return documents;
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
  const entries = readEntries(folder).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return [path];
    return isLeftOut(entry.name) ? [] : filesBelow(path, isLeftOut);
  });
}

function readEntries(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
