import { expect, test } from 'vitest';
import { fileURLToPath } from 'node:url';
import { readFileSync } from 'node:fs';
import { readBoundedBytes, readBoundedFile } from '../../src/config/bounded-file.ts';

test('a file is read whole', () => {
  const path = fileURLToPath(new URL('../../package-lock.json', import.meta.url));
  expect(readBoundedFile(path)).toBe(readFileSync(path, 'utf8'));
});

test('what has no end is not', () => {
  expect(() => readBoundedFile('/dev/zero')).toThrow('it is longer than 16 MiB');
});

test('the last byte that a file may have counts, and not the next', () => {
  const path = fileURLToPath(new URL('../../package-lock.json', import.meta.url));
  const { length } = readFileSync(path);
  expect(readBoundedBytes(path, length)).toHaveLength(length);
  expect(() => readBoundedBytes(path, length - 1)).toThrow('it is longer than');
});

test('a folder is no file', () => {
  expect(() => readBoundedFile('/')).toThrow('EISDIR');
});
