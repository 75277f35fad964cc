import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDataDir } from '../../../src/engines/data-dir/open-data-dir.ts';
import { aesCbc } from '../../../src/engines/encryption/aes.ts';
import { sealingBy, unsealed } from '../../../src/engines/encryption/sealing.ts';
import type { Transformers } from '../../../src/engines/encryption/sealing.ts';
import { byPrefix, identity } from '../../../src/engines/encryption/transformer.ts';
import { keyOf, object } from '../../store/contract.ts';

const keyed = (name: string, byte: number) => ({
  prefix: `k8s:enc:aescbc:v1:${name}:`,
  transformer: aesCbc(Buffer.alloc(32, byte)),
});
const plain = { prefix: '', transformer: identity };
const configMaps = (...all: Parameters<typeof byPrefix>[1]): Transformers =>
  new Map([['configmaps', byPrefix('no matching prefix found', all)]]);

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kadmit-sealed-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'data');
}

const text = (folder: string): string =>
  readdirSync(join(folder, 'objects'))
    .map((name) => readFileSync(join(folder, 'objects', name), 'latin1'))
    .join();

test('objects of a data directory are encrypted, read again, stale after another key, and written with it', async () => {
  const folder = emptyFolder();
  const one = keyed('one', 1);
  const key = keyOf('default', 'a');
  const first = await openDataDir(folder, { sync: false, sealing: sealingBy(() => configMaps(one)) });
  await first.storage.create(key, object('default', 'a', 'in the clear'));
  expect(await first.storage.read(key)).toMatchObject({ stale: false });
  await first.close();
  expect(text(folder)).not.toContain('in the clear');

  let transformers = configMaps(one);
  const again = await openDataDir(folder, { sync: false, sealing: sealingBy(() => transformers) });
  expect(await again.storage.read(key)).toMatchObject({ stale: false, object: { data: { value: 'in the clear' } } });
  transformers = configMaps(keyed('two', 2), one);
  expect(await again.storage.read(key)).toMatchObject({ stale: true });
  await again.storage.update(key, object('default', 'a', 'in the clear'), 2);
  expect(await again.storage.read(key)).toMatchObject({ stale: false });
  await again.close();

  await expect(openDataDir(folder, { sync: false, sealing: unsealed })).rejects.toThrow(
    `/configmaps/default/a: identity transformer tried to read encrypted data; give the --encryption-provider-config it was written with`,
  );
});

test('what was written before there was a key is read, and stale', async () => {
  const folder = emptyFolder();
  const key = keyOf('default', 'a');
  const before = await openDataDir(folder, { sync: false });
  await before.storage.create(key, object('default', 'a', 'x'));
  await before.close();
  const after = await openDataDir(folder, {
    sync: false,
    sealing: sealingBy(() => configMaps(keyed('one', 1), plain)),
  });
  expect(await after.storage.read(key)).toMatchObject({ stale: true, object: { data: { value: 'x' } } });
  await after.close();
});
