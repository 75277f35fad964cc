import { decode, encode } from '@jridgewell/sourcemap-codec';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

/** LevelDB is native, and for `--data-dir` alone. */
const native = /^classic-level(\/|$)/;
const anyPackage = /^@?[a-z][\w.-]*(\/|$)/;

/**
 * Writes the program into `dist`; resolves to what rolldown wrote. With `packages` the packages that it uses are in it, as in the
 * tarball; without, they are imported from node_modules, which takes a third of the time.
 */
export async function writeBundle(dist, { packages }) {
  const bundle = await rolldown({
    input: {
      main: './src/main.ts',
      library: './src/library.ts',
      'test-thread': './src/test-thread.ts',
      'replay-thread': './src/replay-thread.ts',
      'cel/index': './src/cel/index.ts',
    },
    platform: 'node',
    external: packages ? native : anyPackage,
    // node-fetch takes URL from whatwg-url only where Node has none; grpc-js reads .proto files for channelz and ORCA alone.
    resolve: { alias: { 'whatwg-url': 'node:url', '@grpc/proto-loader': false }, mainFields: ['module', 'main'] },
    // The official client is 800 modules of which a kubeconfig needs 20; none does anything when it is loaded.
    treeshake: { moduleSideEffects: [{ test: /@kubernetes\/client-node/, sideEffects: false }] },
    // Without debug information: the names of modules in comments would be 1 % of the package.
    experimental: { lazyBarrel: true, attachDebugInfo: 'none' },
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
  if (packages) reduceMaps(dist, output);
  return output;
}

function reduceMaps(dist, output) {
  for (const { fileName, moduleIds = [], map } of output) {
    if (!map) continue;
    const file = join(dist, `${fileName}.map`);
    if (moduleIds.every(isDependency)) rmSync(file);
    else writeFileSync(file, JSON.stringify(linesOnly(JSON.parse(readFileSync(file, 'utf8')))));
  }
}

/**
 * Keeps of a source map what a stack trace needs, the source line of every position: a fifth of its size. Maps of
 * columns and names, and those of dependencies, would be a third of the package.
 */
function linesOnly(map) {
  const mappings = decode(map.mappings).map((line) =>
    line.filter(([, source, row], index) => {
      const [, lastSource, lastRow] = line[index - 1] ?? [];
      return source !== lastSource || row !== lastRow;
    }),
  );
  const plain = mappings.map((line) => line.map(([column, ...place]) => [column, ...place.slice(0, 3)]));
  return { version: 3, sources: map.sources, names: [], mappings: encode(plain) };
}

/** A module of a package, or a helper that the bundler adds. */
const isDependency = (id) => id.includes('/node_modules/') || id.startsWith('\0');
