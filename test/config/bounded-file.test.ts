import { expect, test } from 'vitest';
import { fileURLToPath } from 'node:url';
import { readFileSync } from 'node:fs';
import { readBoundedFile } from '../../src/config/bounded-file.ts';

test('a file is read whole', () => {
  const path = fileURLToPath(new URL('../../package-lock.json', import.meta.url));
  expect(readBoundedFile(path)).toBe(readFileSync(path, 'utf8'));
});

test('what has no end is not', () => {
  expect(() => readBoundedFile('/dev/zero')).toThrow('it is longer than 16 MiB');
});

test('a folder is no file', () => {
  expect(() => readBoundedFile('/')).toThrow('EISDIR');
});
