import { basename, dirname, join, resolve } from 'node:path';
import type { Scenario } from './format.ts';
import { checkSchema } from './read/check-schema.ts';
import { filesOfFolder, isFolder, readTextFile, filesUnder, pathType } from './read/files.ts';
import { type Located, readLocated } from './read/located.ts';
import { createProblems, type Problem } from './read/problems.ts';
import { readScenario } from './read/scenario.ts';
import { readUsers } from './read/users.ts';

export type ScenarioLoading = {
  /** All files that were read or missing: a change of any may change the result. */
  readonly files: readonly string[];
} & (
  | {
      readonly outcome: 'loaded';
      readonly scenario: Scenario;
      /** It needs a script, which was not loaded: it cannot run. */
      readonly isLacking?: boolean;
      /** For the user, before the run. */
      readonly notes: readonly string[];
    }
  | { readonly outcome: 'unreadable'; readonly problems: readonly Problem[] }
);

export interface LoadScenarioOptions {
  /** Does not load scripts: loading runs them. */
  readonly noScripts?: boolean;
}

/**
 * Reads a scenario.yaml (or that of a folder) and all files it names. Result paths are relative like `path`. Never throws for file content.
 */
export async function loadScenario(
  path: string,
  { noScripts = false }: LoadScenarioOptions = {},
): Promise<ScenarioLoading> {
  const file = isFolder(path) ? join(path, 'scenario.yaml') : path;
  const files = new Set([file]);
  const problems = createProblems();
  const unreadable = (): ScenarioLoading => ({ outcome: 'unreadable', problems: problems.all(), files: [...files] });

  const root = readRoot(file, problems.add);
  if (root) checkSchema(root, problems);
  if (!root || problems.all().length > 0) return unreadable();
  const notes: string[] = [];
  let isLacking = false;
  const folder = dirname(file);
  const origin = { name: basename(resolve(folder)), file, folder };
  const scenario = await readScenario(root, origin, {
    notes: (text) => notes.push(`${file}: ${text}`),
    files: filesOfFolder(folder, {
      ...(noScripts ? { needsScript: () => (isLacking = true) } : {}),
      uses: (one) => void files.add(one),
    }),
    problems,
    users: readUsers(root.get('users')),
  });
  if (problems.all().length > 0) return unreadable();
  return { outcome: 'loaded', scenario, files: [...files], notes, ...(isLacking ? { isLacking } : {}) };
}

function readRoot(file: string, report: (problem: Problem) => void): Located | undefined {
  const top = { file, line: 1, column: 1 };
  const reading = readTextFile(file);
  if (reading.outcome === 'unreadable') {
    report({ place: top, path: '', message: reading.error });
    return undefined;
  }
  const { documents, problems } = readLocated(file, reading.text);
  for (const problem of problems) report({ ...problem, path: '' });
  const [root, second] = documents;
  if (second)
    report({
      place: second.place,
      path: '',
      message: 'one scenario is one document: move this one to a folder of its own',
    });
  if (!root && problems.length === 0)
    report({ place: top, path: '', message: 'the file is empty: a scenario needs steps' });
  return root;
}

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
