import { createServer } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { serveFlags } from '../../../src/flags/serve/serve-options.ts';
import { parseFlags } from '../../../src/flags/flags.ts';
import type { ServerConfig } from '../../../src/config/server-config.ts';
import { readUpstreamOptions } from '../../../src/config/upstream/options.ts';
import type { UpstreamOptions } from '../../../src/config/upstream/options.ts';
import { createClosing } from '../../../src/serve/closing.ts';
import { openEncryption } from '../../../src/serve/encryption/open-encryption.ts';
import { clock } from '../../../src/serve/clock.ts';
import { endingOf, startsWith } from '../../harness/startup-files.ts';

function configOf(upstream: UpstreamOptions): ServerConfig {
  const parsed = parseFlags(serveFlags, ['--data-dir=/nowhere']);
  if (parsed.outcome !== 'parsed') throw new Error('these flags are fine');
  return { ...parsed.options, upstream };
}

async function opened(upstream: UpstreamOptions, logError: (line: string) => void = () => {}) {
  const closing = createClosing();
  onTestFinished(closing.close);
  return openEncryption(configOf(upstream), { clock, logError }, closing);
}

// Source: kube-apiserver v1.36.2, started with these files. KMS plugins that are not there are another test.
const starts = startsWith('encryption-provider-config').filter(
  ({ files, stderrLastLine }) => stderrLastLine !== undefined || !JSON.stringify(files).includes('kms'),
);

test('there are starts to compare with', () => {
  expect(starts.length).toBeGreaterThan(60);
});

test.each(starts)('$flags $files', async (start) => {
  expect(await endingOf(start, (upstream) => opened(upstream))).toBe(start.stderrLastLine);
});

const secrets = { group: '', resource: 'secrets' };
const key1 = { name: 'key1', secret: Buffer.alloc(32, 1).toString('base64') };
const key2 = { name: 'key2', secret: Buffer.alloc(32, 2).toString('base64') };

const configuration = (resources: readonly string[], ...providers: readonly object[]) => ({ resources, providers });

const written = (...resources: readonly object[]): string =>
  JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration', resources });

function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'kadmit-encryption-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'encryption.yaml'), text);
  return join(folder, 'encryption.yaml');
}

const flagsFor = (path: string, more: readonly (readonly [string, string])[] = []): UpstreamOptions =>
  readUpstreamOptions(
    new Map([['encryption-provider-config', path] as const, ...more].map(([name, value]) => [name, [value]])),
  );

const sealedWith = async (text: string) => opened(flagsFor(fileWith(text)));

// Source: apiserver pkg/server/options/encryptionconfig/config.go: prefixes, and which entry counts for a resource.
test.each([
  { provider: { aescbc: { keys: [key1] } }, prefix: 'k8s:enc:aescbc:v1:key1:' },
  { provider: { aesgcm: { keys: [key1, key2] } }, prefix: 'k8s:enc:aesgcm:v1:key1:' },
  { provider: { secretbox: { keys: [key2] } }, prefix: 'k8s:enc:secretbox:v1:key2:' },
  { provider: { identity: {} }, prefix: '{"a"' },
])('$prefix is what values begin with, and they can be read', async ({ provider, prefix }) => {
  const sealing = await sealedWith(written(configuration(['secrets'], provider)));
  const value = sealing.seal(secrets, Buffer.from('{"a":1}'), '/registry/secrets/a/b');
  expect(value.toString('latin1').startsWith(prefix)).toBe(true);
  expect(sealing.open(secrets, value, '/registry/secrets/a/b')).toEqual({ data: Buffer.from('{"a":1}'), stale: false });
});

test.each([
  { resource: { group: '', resource: 'secrets' }, prefix: 'k8s:enc:aescbc:v1:key1:' },
  { resource: { group: '', resource: 'configmaps' }, prefix: 'k8s:enc:aesgcm:v1:key1:' },
  { resource: { group: 'apps', resource: 'deployments' }, prefix: 'k8s:enc:secretbox:v1:key1:' },
  { resource: { group: 'example.com', resource: 'widgets' }, prefix: 'k8s:enc:secretbox:v1:key2:' },
])('$resource has the most specific entry', async ({ resource, prefix }) => {
  const sealing = await sealedWith(
    written(
      configuration(['secrets'], { aescbc: { keys: [key1] } }),
      configuration(['*.'], { aesgcm: { keys: [key1] } }),
      configuration(['*.apps'], { secretbox: { keys: [key1] } }),
      configuration(['*.*'], { secretbox: { keys: [key2] } }),
    ),
  );
  expect(sealing.seal(resource, Buffer.from('{}'), 'x').toString('latin1').startsWith(prefix)).toBe(true);
});

test('what another key or provider wrote is stale, and what nobody wrote is refused', async () => {
  const before = await sealedWith(written(configuration(['secrets'], { aescbc: { keys: [key1] } })));
  const value = before.seal(secrets, Buffer.from('{}'), 'x');
  const after = await sealedWith(
    written(configuration(['secrets'], { aescbc: { keys: [key2, key1] } }, { identity: {} })),
  );
  expect(after.open(secrets, value, 'x')).toEqual({ data: Buffer.from('{}'), stale: true });
  expect(after.open(secrets, Buffer.from('{}'), 'x')).toEqual({ data: Buffer.from('{}'), stale: true });
  const without = await sealedWith(written(configuration(['secrets'], { aescbc: { keys: [key2] } })));
  expect(() => without.open(secrets, value, 'x')).toThrow('no matching key was found for the provided AES transformer');
  expect(() => without.open(secrets, Buffer.from('{}'), 'x')).toThrow('no matching prefix found');
  const none = await sealedWith(written(configuration(['configmaps'], { identity: {} })));
  expect(() => none.open(secrets, value, 'x')).toThrow('identity transformer tried to read encrypted data');
});

test('aesgcm opens nothing that lies elsewhere', async () => {
  const sealing = await sealedWith(written(configuration(['secrets'], { aesgcm: { keys: [key1] } })));
  const value = sealing.seal(secrets, Buffer.from('{}'), '/registry/secrets/a/b');
  expect(() => sealing.open(secrets, value, '/registry/secrets/a/c')).toThrow('message authentication failed');
});

test('with automatic reload the file is read again, and a faulty one changes nothing', async () => {
  const path = fileWith(written(configuration(['secrets'], { aescbc: { keys: [key1] } })));
  const lines: string[] = [];
  const upstream = flagsFor(path, [['encryption-provider-config-automatic-reload', 'true']]);
  const sealing = await opened(upstream, (line) => lines.push(line));
  const value = sealing.seal(secrets, Buffer.from('{}'), 'x');
  writeFileSync(path, written(configuration(['secrets'], { aescbc: { keys: [key2, key1] } })));
  await vi.waitFor(() => expect(sealing.open(secrets, value, 'x').stale).toBe(true), 5000);
  writeFileSync(path, written());
  await vi.waitFor(() => expect(lines.join()).toContain('at least one resources is required'), 5000);
  expect(sealing.open(secrets, value, 'x').stale).toBe(true);
});

test('a KMS plugin that does not answer leaves a server that cannot write what it is for', async () => {
  const server = createServer();
  const socket = join(mkdtempSync(join(tmpdir(), 'kadmit-kms-')), 'silent.sock');
  server.listen(socket);
  onTestFinished(() => void server.close());
  const lines: string[] = [];
  const kms = { apiVersion: 'v2', name: 'silent', endpoint: `unix://${socket}`, timeout: '50ms' };
  const upstream = flagsFor(fileWith(written(configuration(['secrets'], { kms }))));
  const sealing = await opened(upstream, (line) => lines.push(line));
  expect(lines.join()).toContain('kmsv2 Provider silent is not healthy');
  expect(() => sealing.seal(secrets, Buffer.from('{}'), 'x')).toThrow('got unexpected nil transformer');
});
