import { expect, test } from 'vitest';
import {
  countIntervals,
  firstMissing,
  includesNumber,
  intervalsText,
  toIntervals,
  overlap,
  parseIntervals,
  intervalUnion,
} from '../../../../src/controllers/workloads/job/intervals.ts';

// pkg/controller/job/indexed_job_utils_test.go.
test.each([
  ['none', [], ''],
  ['one', [3], '3'],
  ['two neighbours are two', [0, 1], '0,1'],
  ['three are a run', [0, 1, 2], '0-2'],
  ['in order', [7, 1, 3, 2], '1-3,7'],
])('%s', (_fact, numbers, text) => {
  expect(intervalsText(toIntervals(numbers))).toBe(text);
});

test.each([
  ['what is written is read', '1-3,7', 10, '1-3,7'],
  ['only below the limit', '1-3,7', 3, '1,2'],
  ['what cannot be read is left out', 'a,2-b,5', 10, '5'],
  ['two neighbours join', '0,1,2', 10, '0-2'],
])('%s', (_fact, text, limit, again) => {
  expect(intervalsText(parseIntervals(text, limit))).toBe(again);
});

test('sets of them', () => {
  const [a, b] = [parseIntervals('0-3,8', 10), parseIntervals('2-5', 10)];
  expect([
    intervalsText(intervalUnion(a, b)),
    overlap(a, b),
    countIntervals(a),
    includesNumber(a, 8),
    includesNumber(a, 4),
  ]).toEqual(['0-5,8', 2, 5, true, false]);
  expect(firstMissing(a, 3, 10)).toEqual([4, 5, 6]);
  expect(firstMissing(a, 9, 6)).toEqual([4, 5]);
});
