import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { exportPlainly } from './export-plainly.mjs';
import { inAscii } from './in-ascii.mjs';
import { requireLater } from './require-later.mjs';
import { spreadQuickly } from './spread-quickly.mjs';
import { withoutXPath } from './without-xpath.mjs';
import { writeEntries } from './write-entries.mjs';

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

const lean = {
  name: 'lean',
  transform: (code, id) => (id.includes('/node_modules/antlr4ng/') ? withoutXPath(code) : undefined),
};

/** Makes the program in `dist`, with these plugins of rolldown besides its own; resolves to what rolldown wrote. */
export async function writeBundle(dist, plugins = []) {
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
    plugins: [...plugins, lean, importing],
  });
  const { output } = await bundle.write({
    dir: dist,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: 'chunks/[name]-[hash].cjs',
    cleanDir: true,
    // A start reads and keeps all of the text; licences are in dist/LICENSES.
    comments: false,
  });
  // Not by a plugin: rolldown takes them away again when it tidies up.
  for (const { fileName, code } of output) {
    const plain = code && inAscii(spreadQuickly(exportPlainly(code)));
    if (plain) writeFileSync(join(dist, fileName), fileName === 'library.cjs' ? requireLater(plain) : plain);
  }
  writeEntries(dist, output);
  return output;
}
