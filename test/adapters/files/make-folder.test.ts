import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeReports } from '../../../src/app/cli/test/test-reports.ts';
import type { TestRun } from '../../../src/testing/scenario/report/test-run.ts';
import { makeFolder } from '../../../src/adapters/files/make-folder.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

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
