import { existsSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { portablePath } from '../../adapters/files/portable-files.ts';
import { asString, isJsonObject } from '../../machinery/json/json.ts';

/** Searches upwards from this module: the bundle is less deep than the sources. */
export function packageFile(path: string): string {
  const places = ['..', '../..', '../../..'].map((up) => fileURLToPath(new URL(`${up}/${path}`, import.meta.url)));
  return places.find((place) => existsSync(place)) ?? path;
}

/** The `$schema` of a scenario in this folder: a relative path to this kadmit's own, or to the installed one. */
export function schemaFor(folder: string): string {
  const installed = packageFile('docs/reference/scenario.schema.json');
  const path = portablePath(relative(resolve(folder), installed));
  return existsSync(installed) && path.split('/').filter((part) => part === '..').length < 6
    ? path
    : 'node_modules/kadmit/docs/reference/scenario.schema.json';
}

export function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  return isJsonObject(manifest) ? asString(manifest['version']) : '';
}
