import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The path of a file of this package, looked up from the folder of this module upwards: the bundle is less deep than the sources. */
export function packageFile(path: string): string {
  const places = ['..', '../..', '../../..'].map((up) => fileURLToPath(new URL(`${up}/${path}`, import.meta.url)));
  return places.find((place) => existsSync(place)) ?? path;
}
