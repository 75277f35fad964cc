import type { NamedFiles } from '../../testing/scenario/read/problems.ts';

interface PageFileOptions {
  readonly runFunctions: boolean;
}

/** A page has no files: objects and scripts are written in its texts. */
export function createPageFiles(_options: PageFileOptions): NamedFiles {
  const unloadable = { outcome: 'unloadable', error: noFiles } as const;
  return {
    find: (at, problems) => {
      problems.at(at, noFiles);
      return undefined;
    },
    isFolder: () => false,
    documents: () => [],
    golden: (at, problems) => {
      problems.at(at, 'a page has no golden files: use exactly');
      return undefined;
    },
    loadScript: async () => unloadable,
    loadPlugin: async () => unloadable,
  };
}

const noFiles = 'a page has no files: write the contents here';
