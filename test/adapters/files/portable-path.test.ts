import { posix, win32 } from 'node:path';
import { expect, test } from 'vitest';
import { isPathWithin, portablePath } from '../../../src/adapters/files/portable-path.ts';

test.each([
  [win32, String.raw`scenarios\first\scenario.yaml`, 'scenarios/first/scenario.yaml'],
  [win32, String.raw`C:\a\b`, 'C:/a/b'],
  [posix, String.raw`a\b/c`, String.raw`a\b/c`],
])('%#: with slashes', (paths, path, expected) => {
  expect(portablePath(path, paths)).toBe(expected);
});

test.each([
  [posix, '/a/b', '/a', true],
  [posix, '/a', '/a', true],
  [posix, '/ab', '/a', false],
  [posix, '/a/..b', '/a', true],
  [posix, '/A/b', '/a', false],
  [win32, String.raw`C:\A\b`, String.raw`c:\a`, true],
  [win32, String.raw`D:\a\b`, String.raw`C:\a`, false],
  [win32, String.raw`C:\ab`, String.raw`C:\a`, false],
])('%#: a path and a folder', (paths, path, folder, expected) => {
  expect(isPathWithin(path, folder, paths)).toBe(expected);
});
