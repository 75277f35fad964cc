import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

export type FoundScenarios =
  | { readonly outcome: 'found'; readonly files: readonly string[] }
  | { readonly outcome: 'missing'; readonly problem: string };

/**
 * The scenario files that these paths mean: a file is one whatever its name, in a folder and all folders below it those
 * called scenario.yaml. Each once, in order of the paths and names.
 */
export function findScenarios(paths: readonly string[]): FoundScenarios {
  const files = new Set<string>();
  for (const path of paths) {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats) return { outcome: 'missing', problem: `${path}: there is no such file or folder` };
    const found = stats.isDirectory() ? scenariosUnder(path) : [path];
    if (found.length === 0) {
      return {
        outcome: 'missing',
        problem: `${path}: there is no scenario.yaml in this folder or below it (a folder of AdmissionReviews needs --webhook)`,
      };
    }
    for (const file of found) files.add(file);
  }
  return { outcome: 'found', files: [...files] };
}

function scenariosUnder(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return entry.name.startsWith('.') || entry.name === 'node_modules' ? [] : scenariosUnder(path);
    return /^scenario\.ya?ml$/.test(entry.name) ? [path] : [];
  });
}
