import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { openLineFile, openLineStream } from '../../../src/adapters/audit/line-writer.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

test('lines are written in order, and all are there when it is closed', async () => {
  const written: string[] = [];
  const stream = new Writable({
    write: (bytes, _encoding, done) => {
      written.push(String(bytes));
      setImmediate(done);
    },
  });
  const writer = openLineStream(stream, (text) => expect.fail(text));
  for (const line of ['one', 'two', 'three']) writer.write(line);
  await writer.close();
  expect(written.join('')).toBe('one\ntwo\nthree\n');
});

test('a failed stream is reported once', async () => {
  const errors: string[] = [];
  const stream = new Writable({
    write: (_bytes, _encoding, done) => done(new Error('EPIPE: broken pipe, write')),
  });
  const writer = openLineStream(stream, (text) => errors.push(text));
  for (const line of ['a', 'b', 'c']) writer.write(line);
  await writer.close();
  expect(errors).toEqual(['EPIPE: broken pipe, write']);
});

test('lines are appended to a file, and are there at once', async () => {
  const path = join(temporaryFolder(onTestFinished), 'audit.log');
  writeFileSync(path, 'old\n', { mode: 0o600 });
  const writer = openLineFile(path, (text) => expect.fail(text));
  writer.write('one');
  writer.write('two');
  expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['old\none\ntwo\n', 0o600]);
  await writer.close();
});

test('a file that cannot be written is reported once', async () => {
  const errors: string[] = [];
  const writer = openLineFile(join(temporaryFolder(onTestFinished), 'audit.log'), (text) => errors.push(text));
  await writer.close();
  writer.write('a');
  writer.write('b');
  expect(errors).toEqual(['EBADF: bad file descriptor, write']);
});
