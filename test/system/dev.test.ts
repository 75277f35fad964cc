import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { callServer, objectIn } from '../../src/adapters/config/kubeconfig/call-server.ts';
import { readKubeconfig } from '../../src/adapters/config/kubeconfig/read-kubeconfig.ts';
import { valueAt } from '../../src/machinery/json/json.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

const folder = temporaryFolder();
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

/** A mutating webhook that sets this label; TLS as its environment says. */
const hook = (label: string): string => `
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
const { PORT, TLS_CERT_FILE, TLS_KEY_FILE, CERT_DIR } = process.env;
const tls = { cert: readFileSync(TLS_CERT_FILE), key: readFileSync(TLS_KEY_FILE) };
createServer(tls, async (request, response) => {
  const { apiVersion, kind, request: { uid } } = await new Response(request).json();
  const patch = btoa(JSON.stringify([{ op: 'add', path: '/metadata/labels', value: { by: '${label}' } }]));
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ apiVersion, kind, response: { uid, allowed: true, patchType: 'JSONPatch', patch } }));
}).listen(PORT, () => console.log('${label} listens, certificates in ' + CERT_DIR + ', argument ' + process.argv[2]));
`;

const configuration = `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: { name: labels }
webhooks:
  - name: labels.example.com
    clientConfig: { caBundle: Cg==, service: { namespace: shop, name: hooks } }
    rules: [{ operations: [CREATE], apiGroups: [''], apiVersions: [v1], resources: [configmaps] }]
    sideEffects: None
    admissionReviewVersions: [v1]
`;

/** `kadmit dev` in the folder, with what it has printed so far. */
function startDev(args: readonly string[]) {
  const all = [resolve('dist/main.js'), 'dev', '--secure-port=0', '--ui-port=-1', ...args];
  const child = spawn(process.execPath, all, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | null>((done) => child.once('close', done));
  return { child, ended, output: () => output };
}

const readText = (path: string): string => readFileSync(path, 'utf8');

const patience = { timeout: 20_000 };

async function labelOf(name: string): Promise<unknown> {
  const access = await readKubeconfig(join(folder, '.kadmit', 'kubeconfig'));
  const path = '/api/v1/namespaces/default/configmaps';
  const body = JSON.stringify({ metadata: { name } });
  const { text } = await callServer(access, { method: 'POST', path, body, contentType: 'application/json' });
  return valueAt(objectIn(text), 'metadata', 'labels', 'by');
}

test('a webhook with a url of this machine is routed to the command, another one is named', async () => {
  const [script, config] = [join(folder, 'url.mjs'), join(folder, 'url.yaml')];
  const url = 'url: https://localhost:8443/mutate';
  const local = configuration.replace(/caBundle.*hooks \}/, url);
  writeFileSync(script, hook('url'));
  writeFileSync(
    config,
    `${local}---\n${local.replace('labels }', 'far }').replace('localhost:8443', 'far.example.com')}`,
  );
  writeFileSync(config, readText(config).replace(/(far\.example\.com[^]*)configmaps/, '$1secrets'));
  const dev = startDev(['-f', config, '--', process.execPath, script]);
  await expect.poll(dev.output, patience).toContain('Ctrl-C stops it.');
  expect(dev.output()).toMatch(/on port \d+; https:\/\/localhost:8443 is routed to it/);
  expect(dev.output()).toMatch(
    /https:\/\/far\.example\.com is not this machine: .* --map https:\/\/far\.example\.com=https:\/\/localhost:\{PORT\} routes/,
  );
  expect(await labelOf('by-url')).toBe('url');
  dev.child.kill('SIGINT');
  await dev.ended;
});

test('--map with {PORT} routes a webhook with another url to the command', async () => {
  const [script, config] = [join(folder, 'mapped.mjs'), join(folder, 'mapped.yaml')];
  writeFileSync(script, hook('mapped'));
  writeFileSync(config, configuration.replace(/caBundle.*hooks \}/, 'url: https://far.example.com/mutate'));
  const dev = startDev([
    '-f',
    config,
    '--map=https://far.example.com=https://localhost:{PORT}',
    '--',
    process.execPath,
    script,
  ]);
  await expect.poll(dev.output, patience).toContain('Ctrl-C stops it.');
  expect(dev.output()).not.toContain('is not this machine');
  expect(await labelOf('by-mapped-url')).toBe('mapped');
  dev.child.kill('SIGINT');
  await dev.ended;
});

test('server, webhook, certificate, configuration, requests and restarts in one command', async () => {
  const [script, config] = [join(folder, 'hook.mjs'), join(folder, 'config.yaml')];
  writeFileSync(script, hook('one'));
  writeFileSync(config, configuration);
  const dev = startDev(['-f', config, '--watch', script, '--', process.execPath, script, 'port-{PORT}']);
  await expect.poll(dev.output, patience).toContain('Ctrl-C stops it.');
  expect(dev.output()).toMatch(/^node {3}\| one listens, certificates in .*, argument port-\d+$/m);
  expect(dev.output()).toContain('node serves the certificate of kadmit on port');
  expect(dev.output()).toContain('Service shop/hooks is routed to it');
  expect(dev.output()).toContain('applied 1 of 1 object\n');

  expect(await labelOf('a')).toBe('one');
  await expect
    .poll(dev.output, patience)
    .toMatch(
      /kubernetes-admin create configmaps default\/a admitted 201 in .* ms: .*labels\.example\.com .* was called and added label by/,
    );

  writeFileSync(script, hook('two'));
  await expect.poll(dev.output, patience).toMatch(/hook\.mjs changed: restarting node[^]*two listens[^]*routed to it/);
  expect(await labelOf('b')).toBe('two');

  writeFileSync(config, configuration.replace('[configmaps]', '[secrets]'));
  await expect.poll(dev.output, patience).toMatch(/(?:applied 1 of 1 object\n[^]*){2}/);
  expect(await labelOf('c')).toBeUndefined();

  const certificates = /certificates in (\S+),/.exec(dev.output())?.[1] ?? '';
  expect(readFileSync(join(certificates, 'tls.crt'), 'utf8')).toContain('BEGIN CERTIFICATE');
  dev.child.kill('SIGINT');
  expect(await dev.ended).toBe(0);
  expect(existsSync(certificates)).toBe(false);
}, 60_000);

test('a command that ends ends kadmit with its exit code, unless its files are watched', async () => {
  const script = join(folder, 'crash.mjs');
  writeFileSync(script, 'console.error("no"); process.exitCode = 7;');
  const dev = startDev(['--', process.execPath, script]);
  expect(await dev.ended).toBe(7);
  expect(dev.output()).toMatch(/^node {3}\| no\nkadmit \| node ended with exit code 7$/m);

  const watching = startDev(['--watch', script, '--', process.execPath, script]);
  await expect
    .poll(watching.output, patience)
    .toContain('ended with exit code 7; waiting for a change of the watched files');
  watching.child.kill('SIGTERM');
  expect(await watching.ended).toBe(0);
}, 60_000);

test('the server outlives a webhook that crashes at a request, and a changed file starts the webhook again', async () => {
  const [script, config] = [join(folder, 'crashing.mjs'), join(folder, 'crashing.yaml')];
  writeFileSync(script, hook('one').replace('const patch', 'if (uid) process.exit(3); const patch'));
  writeFileSync(config, configuration);
  const dev = startDev(['-f', config, '--', process.execPath, script]);
  await expect.poll(dev.output, patience).toContain('Ctrl-C stops it.');
  expect(await labelOf('crash')).toBeUndefined();
  await expect.poll(dev.output, patience).toMatch(/ create configmaps default\/crash refused 500 /);
  expect(dev.output()).toMatch(
    /^kadmit \| node ended with exit code 3; the server keeps running, .*; a change of .*crashing\.mjs starts node again$/m,
  );
  writeFileSync(script, hook('two'));
  await expect
    .poll(dev.output, patience)
    .toMatch(/crashing\.mjs changed: restarting node[^]*two listens[^]*routed to it/);
  expect(await labelOf('mended')).toBe('two');
  dev.child.kill('SIGINT');
  expect(await dev.ended).toBe(0);
}, 60_000);
