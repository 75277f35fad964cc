import { posix, win32, join } from 'node:path';
import { expect, test, onTestFinished } from 'vitest';
import { isPathWithin, portablePath, makeFolder, replaceFile } from '../../../src/adapters/files/portable-files.ts';
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { writeReports } from '../../../src/app/cli/test/test-reports.ts';
import type { TestRun } from '../../../src/testing/scenario/report/test-run.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';
import { errorText } from '../../../src/machinery/errors.ts';

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

function temporary(): string {
  const folder = temporaryFolder(onTestFinished);
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

test('every folder that a user names is made by makeFolder: no other recursive mkdir is in src', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) => /\.tsx?$/.test(path));
  const others = files.filter((path) =>
    /\bmkdir(?:Sync)?\([^)]*recursive/.test(readFileSync(join('src', path), 'utf8')),
  );
  expect(files.length).toBeGreaterThan(100);
  expect(others).toEqual([]);
});

const run: TestRun = { startedAt: 0, milliseconds: 0, outcomes: [], unreadable: [], notRun: 0 };

test.runIf(process.platform === 'linux')('a report below /proc is refused with one line', () => {
  expect(() => writeReports(run, [{ kind: 'tap', file: '/proc/kadmit/a.tap' }], () => undefined)).toThrow(
    "--report tap=/proc/kadmit/a.tap: ENOENT: no such file or directory, mkdir '/proc/kadmit'",
  );
});

const folder = temporaryFolder();

test('a file is replaced', () => {
  const [draft, path] = [join(folder, 'draft'), join(folder, 'file')];
  writeFileSync(path, 'old');
  writeFileSync(draft, 'new');
  replaceFile(draft, path);
  expect(readFileSync(path, 'utf8')).toBe('new');
});

/** Fails so often with this code. */
function failing(times: number, code: string) {
  let calls = 0;
  const rename = (): void => {
    calls += 1;
    if (calls <= times) throw Object.assign(new Error(code), { code });
  };
  return { rename, calls: () => calls };
}

// Source: Windows answers ERROR_SHARING_VIOLATION or ERROR_ACCESS_DENIED while another process has the file open.
test.each<[fact: string, platform: NodeJS.Platform, code: string, ended: string]>([
  ['a file that is read is tried again', 'win32', 'EPERM', 'replaced after 3 calls'],
  ['so is a busy one', 'win32', 'EBUSY', 'replaced after 3 calls'],
  ['another error is not', 'win32', 'ENOENT', 'ENOENT after 1 calls'],
  ['other systems replace it at once', 'linux', 'EPERM', 'EPERM after 1 calls'],
])('%s', (_fact, platform, code, ended) => {
  const { rename, calls } = failing(2, code);
  const replace = (): string => {
    try {
      replaceFile('a', 'b', { platform, rename });
      return 'replaced';
    } catch (error) {
      return errorText(error);
    }
  };
  expect(`${replace()} after ${calls()} calls`).toBe(ended);
});
