import { basename } from 'node:path';
import { filesUnder, pathType } from './read/files.ts';

export type FoundScenarios =
  | { readonly outcome: 'found'; readonly files: readonly string[] }
  | { readonly outcome: 'missing'; readonly problem: string };

/** A file is a scenario whatever its name; a folder means every scenario.yaml and *.kadmit.yaml in and below it. Each once, ordered by path and name. */
export function findScenarios(paths: readonly string[]): FoundScenarios {
  const files = new Set<string>();
  for (const path of paths) {
    const type = pathType(path);
    if (typeof type === 'object') return { outcome: 'missing', problem: `${path}: ${type.problem}` };
    const found = type === 'folder' ? scenariosUnder(path) : [path];
    if (found.length === 0) {
      return {
        outcome: 'missing',
        problem: `${path}: there is no scenario.yaml or *.kadmit.yaml in this folder or below it (a folder of AdmissionReviews needs --call)`,
      };
    }
    for (const file of found) files.add(file);
  }
  return { outcome: 'found', files: [...files] };
}

const scenariosUnder = (folder: string): readonly string[] => filesUnder(folder).filter(hasScenarioName);

/** Files with other names are found only by their path. */
export const hasScenarioName = (path: string): boolean => /^scenario\.ya?ml$|.\.kadmit\.ya?ml$/.test(basename(path));
