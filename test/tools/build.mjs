// Builds dist/ from src/: node test/tools/build.mjs [DIST]
// A few files instead of 400, since Node 20 takes longer to find modules than to run them, and beside each what V8 made of
// it (docs/decisions/0010-compiled-ahead.md). What is imported dynamically stays a chunk of its own and is loaded when it is
// needed.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { buildPage, writePage } from './build-page.mjs';
import { compileAhead } from './compile-ahead.mjs';
import { spreadQuickly } from './spread-quickly.mjs';
import { writeEntries } from './write-entries.mjs';
import { writeLaunchers } from './write-launchers.mjs';
import { writeLicences } from './write-licences.mjs';

const dist = process.argv[2] ?? 'dist';

/** Packages on the way to the first answer; all others stay packages. Native parts of theirs stay where they are. */
const bundled = /^(fastify|undici|yaml|antlr4ng|re2js|ajv|@peculiar\/x509|@noble\/ciphers|reflect-metadata)(\/|$)/;
const isPath = (id) => id.startsWith('.') || id.startsWith('/');
const isBundled = (id, importer) =>
  bundled.test(id) || (importer?.includes('/node_modules/') && !id.startsWith('node:'));

/** V8 forgets how code that was compiled ahead imports: load.mjs gives it a function for that. */
const importing = {
  name: 'importing',
  renderChunk: (code) => code.replace(/(?<=\b(?:await|return) |[[,] ?)import\(/g, 'importModule('),
};

const page = buildPage();
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
  plugins: [importing],
});
const { output } = await bundle.write({
  dir: dist,
  format: 'cjs',
  entryFileNames: '[name].cjs',
  chunkFileNames: 'chunks/[name]-[hash].cjs',
  cleanDir: true,
});
// Rolldown takes it away again when it tidies up.
for (const { fileName, code } of output) if (code) writeFileSync(join(dist, fileName), spreadQuickly(code));
writeEntries(dist, output);
writeLaunchers(dist);
writeLicences(dist, output);
await compileAhead(dist);
writePage(dist, await page);
