// Has V8 compile what most starts run, and keeps that beside the code: node test/tools/compile-ahead.mjs DIST
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const own = fileURLToPath(import.meta.url);

/** Compiles the bundle in `dist` in a process of its own. */
export const compileAhead = (dist) => promisify(execFile)(process.execPath, [own, dist]);

/** A server that starts, and a world in which a webhook and a policy judge a Pod. */
async function useOnce(load, folder) {
  const kubeconfig = join(folder, 'kubeconfig');
  const flags = ['--secure-port', '0', '--ui-port', '-1', '--cert-dir', folder, '--write-kubeconfig', kubeconfig];
  process.argv.splice(1, process.argv.length, 'kadmit', 'serve', ...flags);
  load('main.cjs');
  const { createWorld } = load('library.cjs');
  const world = await createWorld({ authorizationMode: 'RBAC' });
  const rules = [{ operations: ['CREATE'], resources: ['pods'] }];
  await world.webhook('mutating.example.com', { type: 'mutating', rules }, () => undefined);
  await world.webhook('validating.example.com', { type: 'validating', rules }, () => undefined);
  await world.client.create({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'shop', namespace: 'default' },
    spec: { containers: [{ name: 'shop', image: 'shop' }] },
  });
  await world.close();
  while (!existsSync(kubeconfig)) await setTimeout(10);
}

if (process.argv[1] === own) {
  const { load, keepCompiled } = await import(pathToFileURL(resolve(process.argv[2], 'load.js')).href);
  const folder = mkdtempSync(join(tmpdir(), 'kadmit-compile-'));
  await useOnce(load, folder);
  keepCompiled();
  rmSync(folder, { recursive: true });
  process.exit();
}
