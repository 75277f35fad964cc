import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

/** Native packages: LevelDB for `--data-dir`, and the transformer of TypeScript scripts. */
const external = /^(classic-level|oxc-transform)(\/|$)/;

/** Writes the program into `dist`; resolves to what rolldown wrote. */
export async function writeBundle(dist) {
  const bundle = await rolldown({
    input: {
      main: 'src/main.ts',
      library: 'src/library.ts',
      'test-thread': 'src/test-thread.ts',
      'replay-thread': 'src/replay-thread.ts',
      'cel/index': 'src/cel/index.ts',
    },
    platform: 'node',
    external,
  });
  const { output } = await bundle.write({
    dir: dist,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    cleanDir: true,
    comments: false,
    sourcemap: true,
    sourcemapExcludeSources: true,
  });
  // Source maps of dependencies alone would be a quarter of the package.
  for (const { fileName, moduleIds = [] } of output) {
    if (moduleIds.length > 0 && moduleIds.every(isDependency)) rmSync(join(dist, `${fileName}.map`), { force: true });
  }
  return output;
}

/** A module of a package, or a helper that the bundler adds. */
const isDependency = (id) => id.includes('/node_modules/') || id.startsWith('\0');
