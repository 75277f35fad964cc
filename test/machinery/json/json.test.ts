import { expect, test } from 'vitest';
import { mapChanged, sortedNames } from '../../../src/machinery/json/json.ts';

test.each([
  ['in order', { a: 1, b: 2, c: 3 }, ['a', 'b', 'c']],
  ['the last one first', { c: 3, a: 1, b: 2 }, ['a', 'b', 'c']],
  ['two at the end', { a: 1, c: 3, b: 2 }, ['a', 'b', 'c']],
  ['an array index, which JavaScript lists first', { A: 1, 10: 2, 9: 3 }, ['10', '9', 'A']],
  ['none', {}, []],
])('the names of an object in order: %s', (_what, object, names) => {
  expect(sortedNames(object)).toEqual(names);
});

test('a list is copied when an item changes, and otherwise stays the same', () => {
  const list = [1, 2, 3];
  expect(mapChanged(list, (item) => item)).toBe(list);
  expect(mapChanged(list, (item, index) => (index === 1 ? 7 : item))).toEqual([1, 7, 3]);
  expect(list).toEqual([1, 2, 3]);
});
