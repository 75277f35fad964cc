import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { openLineStream } from '../../../src/adapters/audit/line-writer.ts';

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
