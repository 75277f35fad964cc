import { readFileSync, readdirSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';

export interface ManifestFile {
  readonly path: string;
  readonly text: string;
}

export type FilesReading =
  | { readonly outcome: 'read'; readonly files: readonly ManifestFile[] }
  | { readonly outcome: 'unreadable'; readonly error: string };

const extensions = new Set(['.yaml', '.yml', '.json']);

/** A file whatever its name; of a folder its manifests and those of its folders, in order of their names. */
export function readManifestFiles(path: string): FilesReading {
  try {
    const paths = statSync(path).isDirectory() ? manifestsUnder(path) : [path];
    return { outcome: 'read', files: paths.map((one) => ({ path: one, text: readFileSync(one, 'utf8') })) };
  } catch (error) {
    return { outcome: 'unreadable', error: error instanceof Error ? error.message : String(error) };
  }
}

const manifestsUnder = (folder: string): readonly string[] =>
  readdirSync(folder)
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((name) => join(folder, name))
    .flatMap((path) => {
      if (statSync(path).isDirectory()) return manifestsUnder(path);
      return extensions.has(extname(path)) ? [path] : [];
    });
