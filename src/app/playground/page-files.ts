import type { NamedFiles } from '../../testing/scenario/read/problems.ts';
import type { LoadPageScript } from './page-scripts.ts';

/** A page has no files: objects and scripts are written in its texts. */
export function createPageFiles(loadScriptText: LoadPageScript): NamedFiles {
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
    loadScriptText,
    loadPlugin: async () => unloadable,
  };
}

const noFiles = 'a page has no files: write the contents here';
