import { existsSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { packageFile } from './package-file.ts';

/** What an editor finds the schema by: the way to this kadmit's own from the folder, or to the installed one. */
export function schemaFor(folder: string): string {
  const installed = packageFile('docs/reference/scenario.schema.json');
  const path = relative(resolve(folder), installed).split(sep).join('/');
  return existsSync(installed) && path.split('/').filter((part) => part === '..').length < 6
    ? path
    : 'node_modules/kadmit/docs/reference/scenario.schema.json';
}
