import { expect, test } from 'vitest';
import { nothing, together } from '../../src/machinery/together.ts';

// Validation makes nothing where nothing is wrong: the one list stands for that.
test.each([
  { parts: [], all: [] },
  { parts: [[], []], all: [] },
  { parts: [['a'], [], ['b', 'c']], all: ['a', 'b', 'c'] },
  { parts: [[], ['a', 'b']], all: ['a', 'b'] },
])('$parts together are $all', ({ parts, all }) => {
  const found = together<string>(...parts);
  expect(found).toEqual(all);
  expect(found === nothing).toBe(all.length === 0);
});

test('the parts stay as they are', () => {
  const [first, second] = [['a'], ['b']];
  expect(together(first, second)).toEqual(['a', 'b']);
  expect([first, second]).toEqual([['a'], ['b']]);
});
