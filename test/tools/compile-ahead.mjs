// Has V8 compile what most starts run, and keeps that beside the code: node test/tools/compile-ahead.mjs DIST FOLDER
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const own = fileURLToPath(import.meta.url);

/** Compiles the bundle in `dist` in processes of their own: the first start makes certificates, the second reads them. */
export async function compileAhead(dist) {
  const folder = mkdtempSync(join(tmpdir(), 'kadmit-compile-'));
  for (let start = 0; start < 2; start += 1) await promisify(execFile)(process.execPath, [own, dist, folder]);
  rmSync(folder, { recursive: true });
}

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'shop', namespace: 'default' },
  spec: { containers: [{ name: 'shop', image: 'shop' }] },
};

const rules = { type: 'string', 'x-kubernetes-validations': [{ rule: 'self.matches("^a")' }] };
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'shops.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'shops', kind: 'Shop' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: rules } } },
      },
    ],
  },
};

/** A server that is asked for something, and a world in which webhooks judge a Pod and a rule a custom resource. */
async function useOnce(load, folder) {
  const kubeconfig = join(folder, 'kubeconfig');
  const flags = ['--secure-port', '0', '--ui-port', '0', '--cert-dir', folder, '--write-kubeconfig', kubeconfig];
  process.argv.splice(1, process.argv.length, 'kadmit', 'serve', ...flags);
  load('main.cjs');
  const { createWorld } = load('library.cjs');
  const world = await createWorld({ authorizationMode: 'RBAC' });
  const rules = [{ operations: ['CREATE'], resources: ['pods'] }];
  await world.webhook('mutating.example.com', { type: 'mutating', rules }, () => undefined);
  await world.webhook('validating.example.com', { type: 'validating', rules }, () => undefined);
  await world.client.create(pod);
  await world.client.create(definition);
  await world.client.create({ apiVersion: 'example.com/v1', kind: 'Shop', metadata: pod.metadata, spec: 'a' });
  await world.close();
  while (!(await isReady(kubeconfig, folder))) await setTimeout(10);
  await ask(kubeconfig, folder, { method: 'POST', path: '/api/v1/namespaces/default/pods', body: pod });
}

/** The kubeconfig may still be that of the start before. */
const isReady = async (kubeconfig, folder) =>
  existsSync(kubeconfig) && (await ask(kubeconfig, folder, { path: '/readyz' }).catch(() => '')) === 'ok';

async function ask(kubeconfig, folder, { method = 'GET', path, body }) {
  const [, server] = /server: "?(https:[^\s"]+)/.exec(readFileSync(kubeconfig, 'utf8'));
  const [ca, cert, key] = ['ca.crt', 'admin.crt', 'admin.key'].map((name) => readFileSync(join(folder, name)));
  const headers = { 'content-type': 'application/json' };
  const asking = request(`${server}${path}`, { method, ca, cert, key, headers, agent: false });
  asking.end(body && JSON.stringify(body));
  const answer = await new Promise((heard, failed) => asking.on('response', heard).on('error', failed));
  return text(answer);
}

if (process.argv[1] === own) {
  const [dist, folder] = process.argv.slice(2);
  const { load, keepCompiled } = await import(pathToFileURL(resolve(dist, 'load.js')).href);
  await useOnce(load, folder);
  keepCompiled();
  process.exit();
}
