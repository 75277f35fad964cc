import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { didYouMean } from '../../../machinery/nearest-name.ts';
import type { Located } from './located.ts';
import type { ScenarioReader } from './reading.ts';
import { scalarText } from './scalar-text.ts';

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
