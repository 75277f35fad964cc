import { readFileSync } from 'node:fs';
import { asString, isJsonObject } from '../apimachinery/json.ts';

/** kadmit's version, as its package.json has it. */
export function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return isJsonObject(manifest) ? asString(manifest['version']) : '';
}
