import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withDirectoryLock } from '../../../src/adapters/certificates/open-certificates.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kadmit-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const hour = 3600;

test.each([
  ['that a dead process left behind', -hour],
  ['from the future', hour],
])('a lock %s is taken over', async (_which, seconds) => {
  const lock = join(folder, '.lock');
  writeFileSync(lock, '');
  const time = Date.now() / 1000 + seconds;
  utimesSync(lock, time, time);
  expect(await withDirectoryLock(folder, async () => 'done')).toBe('done');
});

test('so is a folder in its place', async () => {
  const lock = join(folder, '.lock');
  mkdirSync(lock);
  utimesSync(lock, 0, 0);
  expect(await withDirectoryLock(folder, async () => 'done')).toBe('done');
});
