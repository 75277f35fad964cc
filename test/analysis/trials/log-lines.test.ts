import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { laneRequests, logRequests } from '../../../src/analysis/trials/logged-request.ts';
import { planLanes } from '../../../src/analysis/trials/replay-report.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

const folder = temporaryFolder();

function written(name: string, content: string | Uint8Array): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

async function numbersIn(file: string, index: number, of: number): Promise<readonly number[]> {
  const numbers: number[] = [];
  for await (const { at } of laneRequests(file, { index, of })) numbers.push(at);
  return numbers;
}

/** Every second line is empty, which is none. */
const lines = (count: number): string => '7\n\n'.repeat(count);

// Lines come in blocks of 256.
test.each([
  { count: 1, of: 4, lanes: [1, 0, 0, 0] },
  { count: 256, of: 2, lanes: [256, 0] },
  { count: 257, of: 2, lanes: [256, 1] },
  { count: 1300, of: 4, lanes: [512, 276, 256, 256] },
])('$count lines in $of lanes: each line is in one, in order', async ({ count, of, lanes }) => {
  const file = written('lines', lines(count));
  const found = await Promise.all(lanes.map((_size, index) => numbersIn(file, index, of)));
  expect(found.map(({ length }) => length)).toEqual(lanes);
  expect(found.flat().toSorted((a, b) => a - b)).toEqual(Array.from({ length: count }, (_none, at) => at));
  for (const numbers of found) expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
});

test('a gzipped log has the same lanes', async () => {
  const file = written('lines.gz', gzipSync(lines(600)));
  expect((await numbersIn(file, 1, 2)).length).toBe(256);
});

test('without lanes it is the whole log, what is no event too', async () => {
  const all: unknown[] = [];
  for await (const one of logRequests(written('three', '7\n{\n\n[]'))) all.push(one);
  expect(all).toEqual(['not an event', 'not an event', 'not an event']);
});

test.each([
  [4 * 1024 * 1024 - 1, 1],
  [4 * 1024 * 1024, 4],
])('a log of %i bytes is dealt out into %i', (bytes, of) => {
  const file = written('long', '');
  truncateSync(file, bytes);
  expect(planLanes(file)).toEqual(Array.from({ length: of }, (_none, index) => ({ index, of })));
});

test.each(['', join(folder, 'not-there')])('what is no file (%j) has one lane', (rest) => {
  expect(planLanes(rest === '' ? folder : rest)).toEqual([{ index: 0, of: 1 }]);
});
