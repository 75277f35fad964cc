import { expect, test } from 'vitest';
import { emptyList, concat } from '../../src/machinery/lists.ts';

// Validation makes nothing where nothing is wrong: the one list stands for that.
test.each([
  { parts: [], all: [] },
  { parts: [[], []], all: [] },
  { parts: [['a'], [], ['b', 'c']], all: ['a', 'b', 'c'] },
  { parts: [[], ['a', 'b']], all: ['a', 'b'] },
])('$parts together are $all', ({ parts, all }) => {
  const found = concat<string>(...parts);
  expect(found).toEqual(all);
  expect(found === emptyList).toBe(all.length === 0);
});

test('the parts stay as they are', () => {
  const [first, second] = [['a'], ['b']];
  expect(concat(first, second)).toEqual(['a', 'b']);
  expect([first, second]).toEqual([['a'], ['b']]);
});
