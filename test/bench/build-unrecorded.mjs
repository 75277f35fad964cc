import { copyFileSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('../..', import.meta.url));
const stand = fileURLToPath(new URL('unrecorded.mjs', import.meta.url));
const recording = [
  'tracing.ts',
  'telemetry/metrics.ts',
  'request/journal.ts',
  'admission/create-chain.ts',
  'admission/pass-log.ts',
].map((file) => join(root, 'src', file));

/** Builds the server without anything that records into a new folder; returns the path of its program. */
export async function buildUnrecorded(folder) {
  mkdirSync(folder);
  copyFileSync(join(root, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const bundle = await rolldown({
    input: join(root, 'src/main.ts'),
    platform: 'node',
    external: (id) => !id.startsWith('.') && !id.startsWith('/'),
    plugins: [{ name: 'unrecorded', resolveId: standFor }],
  });
  await bundle.write({ dir: join(folder, 'dist'), format: 'esm', chunkFileNames: 'chunks/[name]-[hash].js' });
  return join(folder, 'dist/main.js');
}

function standFor(id, importer) {
  if (importer === undefined || importer === stand || !id.startsWith('.')) return null;
  return recording.includes(resolve(dirname(importer), id)) ? stand : null;
}
