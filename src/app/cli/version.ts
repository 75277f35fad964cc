import { readFileSync } from 'node:fs';
import { asString, isJsonObject } from '../../machinery/json/json.ts';
import { packageFile } from './package-file.ts';

/** kadmit's version, as its package.json has it. */
export function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  return isJsonObject(manifest) ? asString(manifest['version']) : '';
}
