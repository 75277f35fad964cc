import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLineWriter, openLineFile } from '../../../src/adapters/audit/line-writer.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

test('lines are appended in order, and all are there when it is closed', async () => {
  const folder = temporaryFolder(onTestFinished);
  const file = join(folder, 'deeper', 'audit.log');
  const lines = Array.from({ length: 5000 }, (_one, index) => `line ${index}`);
  for (const half of [lines.slice(0, 2000), lines.slice(2000)]) {
    const writer = openLineFile(file, (text) => expect.fail(text));
    half.forEach(writer.write);
    await writer.close();
  }
  expect(readFileSync(file, 'utf8')).toBe(`${lines.join('\n')}\n`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

// Source: --audit-log-mode blocking, kubernetes test/integration/apiserver/cel/validatingadmissionpolicy_test.go.
test('a line is in the file once it is written, without waiting', async () => {
  const folder = temporaryFolder(onTestFinished);
  const file = join(folder, 'audit.log');
  const writer = openLineFile(file, (text) => expect.fail(text));
  for (const line of ['one', 'two']) writer.write(line);
  expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n');
  await writer.close();
});

test('a disk that is full is told once, and writing goes on when it no longer is', async () => {
  const errors: string[] = [];
  const written: string[] = [];
  let isFull = true;
  const writer = createLineWriter(
    (bytes, done) => {
      if (!isFull) written.push(String(bytes));
      setImmediate(() => done(isFull ? new Error('ENOSPC: no space left on device, write') : null));
    },
    (text) => errors.push(text),
  );
  writer.write('a');
  writer.write('b');
  await writer.close();
  isFull = false;
  writer.write('c');
  await writer.close();
  isFull = true;
  writer.write('d');
  await writer.close();
  expect(written).toEqual(['c\n']);
  expect(errors).toEqual(['ENOSPC: no space left on device, write', 'ENOSPC: no space left on device, write']);
});
