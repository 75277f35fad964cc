import { expect, test } from 'vitest';
import { copyOf } from '../../src/apimachinery/copy-in-turns.ts';
import { workInTime } from '../../src/apimachinery/in-turns.ts';
import { inManyTurns } from '../harness/turns.ts';

const wide = (fields: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: fields }, (_none, at) => [`f${at}`, at]));

test.each([0, 3, 2_000, 3_000])('a copy of %i fields is another object, in the same order', (fields) => {
  const object = wide(fields);
  const copy = copyOf(object)();
  expect(copy).not.toBe(object);
  expect(Object.entries(copy)).toEqual(Object.entries(object));
});

test('others are let in while a wide one is copied', () => {
  const object = wide(3_000);
  const { turns, value } = inManyTurns(workInTime(() => copyOf(object)()));
  expect(value).toEqual(object);
  expect(turns).toBeGreaterThan(2_500);
});
