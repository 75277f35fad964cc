import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../../src/machinery/files/make-folder.ts';

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kadmit-folders-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('a folder is made with those it is in, and one that is there stays', () => {
  const folder = join(temporary(), 'a', 'b');
  makeFolder(folder, 0o700);
  makeFolder(folder, 0o700);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('a file in the way is an error', () => {
  const folder = temporary();
  writeFileSync(join(folder, 'a'), '');
  expect(() => makeFolder(join(folder, 'a'), 0o700)).toThrow('EEXIST');
  expect(() => makeFolder(join(folder, 'a', 'b'), 0o700)).toThrow('ENOTDIR');
});

test.runIf(process.platform === 'linux')('below /proc nothing can be made, which is an error at once', () => {
  expect(() => makeFolder('/proc/kadmit/a/b', 0o700)).toThrow(
    "ENOENT: no such file or directory, mkdir '/proc/kadmit'",
  );
});
