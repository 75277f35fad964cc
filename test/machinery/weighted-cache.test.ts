import { expect, test } from 'vitest';
import { createWeightedCache } from '../../src/machinery/weighted-cache.ts';

test('what was made of an object is found again until too much is remembered', () => {
  const recent = createWeightedCache<string>(10, (text) => text.length);
  const [first, second, third] = [{}, {}, {}];
  recent.put(first, 'four');
  recent.put(second, 'sixsix');
  expect([first, second, third].map(recent.get)).toEqual(['four', 'sixsix', undefined]);
  recent.put(third, 'x');
  expect([first, second, third].map(recent.get)).toEqual([undefined, undefined, 'x']);
  recent.put(first, 'nine nine');
  expect([first, second, third].map(recent.get)).toEqual(['nine nine', undefined, 'x']);
});
