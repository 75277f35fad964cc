import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readTextFile } from '../../../src/testing/scenario/read/files.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

const folder = temporaryFolder();

function fileOf(length: number): string {
  const path = join(folder, `${length}.yaml`);
  writeFileSync(path, '');
  truncateSync(path, length);
  return path;
}

test('a file of 16 MiB is read, a longer one is not', () => {
  expect(readTextFile(fileOf(16 * 1024 * 1024)).outcome).toBe('read');
  expect(readTextFile(fileOf(16 * 1024 * 1024 + 1))).toEqual({ outcome: 'unreadable', error: 'is longer than 16 MiB' });
});

test('what is no file says so', () => {
  expect(readTextFile(folder)).toMatchObject({ error: 'is a folder, not a file' });
  expect(readTextFile(join(folder, 'none'))).toMatchObject({ error: 'there is no such file' });
});

test('what has no end is not read to it', () => {
  expect(readTextFile('/dev/zero')).toEqual({ outcome: 'unreadable', error: 'is longer than 16 MiB' });
});
