import { expect, test } from 'vitest';
import type { ChangeOutcome } from '../../../../../src/testing/record-replay/snapshot/changes/put-change.ts';
import { sortChanges, waitTime } from '../../../../../src/testing/record-replay/snapshot/changes/play-changes.ts';

async function* removals(times: readonly number[]): AsyncGenerator<ChangeOutcome> {
  for (const [index, at] of times.entries())
    yield {
      type: 'change',
      change: {
        at,
        act: 'remove',
        target: { group: '', version: 'v1', kind: 'Pod', namespace: '', name: String(index) },
      },
    };
}

async function ordered(times: readonly number[]): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const one of sortChanges(removals(times))) if (one.type === 'change') names.push(one.change.target.name);
  return names;
}

test('changes that were written out of order are made in order, those of one moment as they came', async () => {
  expect(await ordered([5, 3, 5, 0])).toEqual(['3', '1', '0', '2']);
});

test('1,024 changes wait for an earlier one, and no more: it would not end', async () => {
  const late = await ordered([...Array.from({ length: 1100 }, () => 7), 0]);
  expect(late.indexOf('1100')).toBe(77);
});

test.each([
  ['as fast as it was', [1000, 0, 1], 1000],
  ['ten times as fast', [1000, 0, 10], 100],
  ['less when some has passed', [1000, 60, 10], 40],
  ['nothing when it is late', [1000, 160, 10], 0],
  ['nothing at all', [1000, 0, Infinity], 0],
] as const)('how long to wait: %s', (_fact, [at, passed, speed], wait) => {
  expect(waitTime(at, passed, speed)).toBe(wait);
});
