import { copyFileSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeBundle } from '../tools/bundle.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const stand = fileURLToPath(new URL('unrecorded.mjs', import.meta.url));
const recording = [
  'app/server/record-traces.ts',
  'adapters/telemetry/metrics.ts',
  'apiserver/request/journal.ts',
  'apiserver/admission/chain/create-chain.ts',
  'apiserver/admission/chain/pass-log.ts',
].map((file) => join(root, 'src', file));

/** Builds the server without anything that records into a new folder; returns the path of its program. */
export async function buildUnrecorded(folder) {
  const dist = join(folder, 'dist');
  const replaced = new Set();
  mkdirSync(folder);
  copyFileSync(join(root, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  await writeBundle(dist, [{ name: 'unrecorded', resolveId: (id, importer) => standFor(id, importer, replaced) }]);
  const missed = recording.filter((file) => !replaced.has(file));
  if (missed.length > 0) throw new Error(`nobody imports what records: ${missed.join(', ')}`);
  return join(dist, 'main.js');
}

function standFor(id, importer, replaced) {
  if (importer === undefined || importer === stand || !id.startsWith('.')) return null;
  const file = resolve(dirname(importer), id);
  if (!recording.includes(file)) return null;
  replaced.add(file);
  return stand;
}
