import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createKmsProvider } from '../../../src/engines/encryption/kms/envelope.ts';
import { connectKms } from '../../../src/engines/encryption/kms/kms-client.ts';
import { startKmsPlugin } from '../../harness/kms-plugin.ts';

// Source: apiserver pkg/storage/value/encrypt/envelope/kmsv2/envelope.go, pkg/server/options/encryptionconfig/config.go.

async function withPlugin(keyId = 'first') {
  const folder = mkdtempSync(join(tmpdir(), 'kadmit-kms-'));
  const socket = join(folder, 'kms.sock');
  const plugin = await startKmsPlugin(socket, keyId);
  let now = 0;
  const providerHere = () => {
    const client = connectKms(`unix://${socket}`, 3000);
    onTestFinished(client.close);
    return createKmsProvider('example', client, { now: () => now });
  };
  onTestFinished(() => {
    plugin.close();
    rmSync(folder, { recursive: true });
  });
  return { plugin, providerHere, pass: (ms: number) => void (now += ms) };
}

const path = '/registry/secrets/default/a';

test('what a provider seals it opens without asking again, and another one after asking once', async () => {
  const { plugin, providerHere } = await withPlugin();
  const one = providerHere();
  expect(await one.probe()).toBeUndefined();
  const values = ['{"a":1}', '{"a":2}'].map((text) => one.transformer.toStorage(Buffer.from(text), path));
  expect(one.transformer.unlock?.(values)).toBeUndefined();
  expect(values.map((value) => one.transformer.fromStorage(value, path).data.toString())).toEqual([
    '{"a":1}',
    '{"a":2}',
  ]);
  const other = providerHere();
  await other.probe();
  await other.transformer.unlock?.(values);
  expect(values.map((value) => other.transformer.fromStorage(value, path).stale)).toEqual([false, false]);
  expect(plugin.calls.filter((call) => call === 'Decrypt')).toHaveLength(1);
});

test('after the plugin has another key, what the first one sealed is stale', async () => {
  const { plugin, providerHere } = await withPlugin();
  const provider = providerHere();
  await provider.probe();
  const value = provider.transformer.toStorage(Buffer.from('{}'), path);
  plugin.rotate('second');
  await provider.probe();
  expect(provider.transformer.fromStorage(value, path).stale).toBe(true);
  const next = provider.transformer.toStorage(Buffer.from('{}'), path);
  expect(provider.transformer.fromStorage(next, path).stale).toBe(false);
});

test('three minutes after the plugin was last well nothing is sealed any longer; what is sealed can be opened', async () => {
  const { plugin, providerHere, pass } = await withPlugin();
  const provider = providerHere();
  await provider.probe();
  const value = provider.transformer.toStorage(Buffer.from('{}'), path);
  plugin.setHealth('out of order');
  plugin.rotate('');
  pass(3 * 60_000);
  expect(await provider.probe()).toBe(
    'kmsv2 Provider example is not healthy, error: [got unexpected healthz status: out of order, got invalid KMSv2 KeyID hash "": keyID is empty]',
  );
  provider.transformer.toStorage(Buffer.from('{}'), path);
  pass(1);
  expect(() => provider.transformer.toStorage(Buffer.from('{}'), path)).toThrow(
    'expired at 1970-01-01T00:03:00Z (current time is 1970-01-01T00:03:00Z)',
  );
  expect(provider.transformer.fromStorage(value, path).data.toString()).toBe('{}');
});

test('where a value lies is part of it', async () => {
  const { providerHere } = await withPlugin();
  const provider = providerHere();
  await provider.probe();
  const value = provider.transformer.toStorage(Buffer.from('{}'), path);
  expect(() => provider.transformer.fromStorage(value, `${path}b`)).toThrow('message authentication failed');
  expect(() => provider.transformer.fromStorage(Buffer.from([10, 0]), path)).toThrow('encrypted data is empty');
});
