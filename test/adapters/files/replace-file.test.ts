import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errorText } from '../../../src/machinery/errors.ts';
import { replaceFile } from '../../../src/adapters/files/replace-file.ts';
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
