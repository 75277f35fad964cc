import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { replaceFile } from '../../../src/machinery/files/replace-file.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

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
test.each<[fact: string, platform: NodeJS.Platform, code: string, calls: number, error: string | undefined]>([
  ['a file that is read is tried again', 'win32', 'EPERM', 3, undefined],
  ['so is a busy one', 'win32', 'EBUSY', 3, undefined],
  ['another error is not', 'win32', 'ENOENT', 1, 'ENOENT'],
  ['other systems replace it at once', 'linux', 'EPERM', 1, 'EPERM'],
])('%s', (_fact, platform, code, calls, error) => {
  const { rename, calls: counted } = failing(2, code);
  const replace = (): void => replaceFile('a', 'b', { platform, rename });
  if (error === undefined) expect(replace).not.toThrow();
  else expect(replace).toThrow(error);
  expect(counted()).toBe(calls);
});
