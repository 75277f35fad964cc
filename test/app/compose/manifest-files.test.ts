import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readManifestFiles } from '../../../src/app/compose/manifest-files.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

const folder = temporaryFolder();

test('a folder that links to itself is read once', () => {
  const top = join(folder, 'circle');
  mkdirSync(join(top, 'b'), { recursive: true });
  for (const name of ['c.yaml', 'b/d.yaml', 'a.json', 'e.txt']) writeFileSync(join(top, name), 'x');
  symlinkSync(top, join(top, 'b', 'again'));
  expect(readManifestFiles(top)).toEqual({
    outcome: 'read',
    files: ['a.json', 'b/d.yaml', 'c.yaml'].map((name) => ({ path: join(top, name), text: 'x' })),
  });
});

test('a folder without an end is refused in a line', () => {
  const top = join(folder, 'endless');
  mkdirSync(top);
  for (let at = 0; at < 20_000; at += 1) writeFileSync(join(top, String(at)), '');
  const error = `${top} holds more than 20000 files and folders: name the manifests, or a folder of them`;
  expect(readManifestFiles(top)).toEqual({ outcome: 'unreadable', error });
});

test('a device is refused', () => {
  expect(readManifestFiles('/dev/zero')).toEqual({ outcome: 'unreadable', error: '/dev/zero is a device' });
});

test('a pipe is waited for, but not for ever', () => {
  const pipe = join(folder, 'pipe');
  execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
  const error = 'nothing was written to it for 0.1 s';
  expect(readManifestFiles(pipe, { writer: 0.1, more: 0.1 })).toEqual({ outcome: 'unreadable', error });
});
