import { expect, onTestFinished, test } from 'vitest';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readFileSync } from 'node:fs';
import { readBoundedBytes, readBoundedFile, readRegularFile } from '../../../src/adapters/files/bounded-file.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

test('a file is read whole', () => {
  const path = fileURLToPath(new URL('../../../package-lock.json', import.meta.url));
  expect(readBoundedFile(path)).toBe(readFileSync(path, 'utf8'));
});

test('what has no end is not', () => {
  expect(() => readBoundedFile('/dev/zero')).toThrow('it is longer than 16 MiB');
});

test('the last byte that a file may have counts, and not the next', () => {
  const path = fileURLToPath(new URL('../../../package-lock.json', import.meta.url));
  const { length } = readFileSync(path);
  expect(readBoundedBytes(path, length)).toHaveLength(length);
  expect(() => readBoundedBytes(path, length - 1)).toThrow('it is longer than');
});

test('a folder is no file', () => {
  expect(() => readBoundedFile('/')).toThrow('EISDIR');
});

test('a named pipe is read when a process writes to it', async () => {
  const folder = temporaryFolder(onTestFinished);
  const pipe = join(folder, 'pipe');
  execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
  const writer = spawn('sh', ['-c', 'printf "a: 1" > "$0"', pipe], { stdio: 'ignore' });
  expect(readBoundedFile(pipe)).toBe('a: 1');
  await once(writer, 'exit');
});

test('only regular files are read while serving: no request waits for a pipe', () => {
  const folder = temporaryFolder(onTestFinished);
  const pipe = join(folder, 'pipe');
  execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
  expect(() => readRegularFile(pipe)).toThrow('it is no regular file');
  expect(() => readRegularFile('/dev/zero')).toThrow('it is no regular file');
  expect(() => readRegularFile(folder)).toThrow('EISDIR');
  expect(readRegularFile('package.json')).toBe(readFileSync('package.json', 'utf8'));
});
