import { expect, test } from 'vitest';
import { type LogOptions, openLog } from '../../../src/adapters/telemetry/log.ts';

async function written(options: LogOptions): Promise<string> {
  const texts: string[] = [];
  const log = await openLog(options, (text) => texts.push(text));
  log.error('the disk is full');
  log.info(0, 'serving', { url: 'https://127.0.0.1:6443' });
  log.info(3, 'HTTP', { verb: 'list', resp: 200 });
  return texts.join('');
}

test('text is for people: errors as they are, and what they ask for', async () => {
  expect(await written({ format: 'text', verbosity: 0 })).toBe('the disk is full\n');
  const started = 'serving url="https://127.0.0.1:6443"';
  expect(await written({ format: 'text', verbosity: 1 })).toBe(`the disk is full\n${started}\n`);
  expect(await written({ format: 'text', verbosity: 3 })).toBe(
    `the disk is full\n${started}\nHTTP verb="list" resp=200\n`,
  );
});

test('JSON is one object a line, start and stop among them', async () => {
  const lines = (await written({ format: 'json', verbosity: 3 })).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { level: 'error', ts: expect.any(Number), msg: 'the disk is full' },
    { level: 'info', ts: expect.any(Number), v: 0, url: 'https://127.0.0.1:6443', msg: 'serving' },
    { level: 'info', ts: expect.any(Number), v: 3, verb: 'list', resp: 200, msg: 'HTTP' },
  ]);
  expect((await written({ format: 'json', verbosity: 0 })).trimEnd().split('\n')).toHaveLength(2);
});
