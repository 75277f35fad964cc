// Builds dist/ from src/: node test/tools/build.mjs [DIST]
// A few files instead of 400, since Node 20 takes longer to find modules than to run them
// (docs/decisions/0004-typescript-and-a-bundle.md). Packages stay packages; what is imported dynamically stays a chunk
// of its own and is loaded when it is needed.
import { rolldown } from 'rolldown';
import { buildPage, writePage } from './build-page.mjs';
import { writeLaunchers } from './write-launchers.mjs';

const dist = process.argv[2] ?? 'dist';
const page = buildPage();
const bundle = await rolldown({
  input: {
    main: 'src/main.ts',
    library: 'src/library.ts',
    'test-thread': 'src/test-thread.ts',
    'cel/index': 'src/cel/index.ts',
  },
  platform: 'node',
  external: (id) => !id.startsWith('.') && !id.startsWith('/'),
});
await bundle.write({
  dir: dist,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
  cleanDir: true,
});
writePage(dist, await page);
writeLaunchers(dist);
