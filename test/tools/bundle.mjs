import { rolldown } from 'rolldown';

/** Packages that the server needs before its first answer; all others stay dependencies, native ones in particular. */
const bundled =
  /^(fastify|undici|yaml|jose|antlr4ng|re2js|ajv|@peculiar\/x509|reflect-metadata|prom-client|tdigest|bintrees)(\/|$)/;
const isPath = (id) => id.startsWith('.') || id.startsWith('/');
const isBundled = (id, importer) =>
  bundled.test(id) || (importer?.includes('/node_modules/') && !id.startsWith('node:'));

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
    external: (id, importer) => !isPath(id) && !isBundled(id, importer),
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
  return output;
}
