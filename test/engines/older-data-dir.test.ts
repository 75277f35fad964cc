import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDataDir } from '../../src/engines/data-dir/open-data-dir.ts';
import { keyOf, object } from '../store/contract.ts';

// Written by the kadmit of November 2026: two ConfigMaps and a custom resource, one of them changed and one removed since.
// A new version of the format gets a folder of its own beside it, and each of them stays readable.
test('a data directory of version 1 is read, and goes on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kadmit-older-'));
  cpSync('test/engines/data-dir-1', folder, { recursive: true });
  const { storage, close } = await openDataDir(folder, { sync: false });
  const { entries, revision } = await storage.snapshot();
  expect(revision).toBe(6);
  expect(
    entries.map(({ key, stored }) => [key, stored.revision, stored.object['data'] ?? stored.object['spec']]),
  ).toEqual([
    [keyOf('ns', 'a'), 5, { value: 'new' }],
    [
      { resource: { group: 'example.com', resource: 'widgets' }, namespace: '', name: 'w' },
      4,
      { size: 9007199254740993n, half: 0.5 },
    ],
  ]);
  expect(await storage.create(keyOf('ns', 'c'), object('ns', 'c'))).toMatchObject({ stored: { revision: 7 } });
  await close();
  rmSync(folder, { recursive: true, force: true });
});
