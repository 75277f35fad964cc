import { lstatSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, relative, sep } from 'node:path';

/** Why a golden file may not be used: it is outside the folder of its scenario, links followed. undefined: it may. */
export function goldenProblem(path: string, scenarioFile: string): string | undefined {
  const folder = dirname(scenarioFile);
  if (!isInsideFolder(path, folder)) return `${path} is not in the folder of the scenario`;
  const home = realPath(folder);
  const link = existingPart(path);
  const real = home === undefined || link === undefined ? undefined : realPath(link);
  if (real === undefined || home === undefined) return `${path} cannot be followed to a file`;
  return real === home || isInsideFolder(real, home)
    ? undefined
    : `${path} links out of the folder of the scenario, to ${real}`;
}

/** Lexically, without following links. */
export function isInsideFolder(path: string, folder: string): boolean {
  const relativePath = relative(folder, path);
  return (
    relativePath !== '' && relativePath !== '..' && !relativePath.startsWith(`..${sep}`) && !isAbsolute(relativePath)
  );
}

/** The path itself, or its nearest existing folder. */
function existingPart(path: string): string | undefined {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return path;
  const outer = dirname(path);
  return outer === path ? undefined : existingPart(outer);
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
