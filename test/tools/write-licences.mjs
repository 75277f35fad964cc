// The licences of the packages that the bundle holds: dist/LICENSES.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes name, version and licence of each package of which a module is in the bundle. */
export function writeLicences(dist, output) {
  // What the bundler itself adds begins with a null byte.
  const modules = output.flatMap(({ moduleIds = [] }) => moduleIds).filter((id) => !id.startsWith('\0'));
  const folders = new Set(modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []));
  writeFileSync(
    join(dist, 'LICENSES'),
    [...folders]
      .sort((a, b) => (a < b ? -1 : 1))
      .map(licenceOf)
      .join('\n\n'),
  );
}

/** `NAME@VERSION` of each package that writeLicences wrote. */
export function bundledPackages(dist) {
  const headings = readFileSync(join(dist, 'LICENSES'), 'utf8').matchAll(/^(@?[\w./-]+) (\d+\.\d+\.\d\S*) \(.*\)$/gm);
  return [...headings].map(([, name, version]) => `${name}@${version}`);
}

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8');
  return `${name} ${version} (${license})\n\n${text}`;
}
