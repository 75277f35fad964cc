import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The path of a file of this package. The sources and the bundle's parts lie two folders deep in it, its entries one. */
export function packageFile(path: string): string {
  const places = [`../../${path}`, `../${path}`].map((one) => fileURLToPath(new URL(one, import.meta.url)));
  return places.find((place) => existsSync(place)) ?? places[0] ?? path;
}
