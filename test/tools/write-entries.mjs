// The modules by which dist/ is entered: they load the bundle's entries through load.js.
import { copyFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const loader = new URL('load.mjs', import.meta.url);

/** Writes one for each entry of the bundle, with the names it exports. */
export function writeEntries(dist, output) {
  copyFileSync(loader, join(dist, 'load.js'));
  for (const { fileName, isEntry, exports } of output) {
    if (isEntry) writeFileSync(join(dist, fileName.replace(/\.cjs$/, '.js')), entry(fileName, exports));
  }
}

function entry(fileName, exports) {
  const path = relative(dirname(fileName), 'load.js');
  const isProgram = fileName === 'main.cjs';
  return [
    ...(isProgram ? ['#!/usr/bin/env node'] : []),
    `import { load as loadBundle } from '${path.startsWith('.') ? path : `./${path}`}';`,
    '',
    isProgram || exports.length === 0
      ? `loadBundle('${fileName}');`
      : `export const { ${exports.join(', ')} } = loadBundle('${fileName}');`,
    '',
  ].join('\n');
}
