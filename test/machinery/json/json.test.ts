import { expect, test } from 'vitest';
import { mapChanged, sortedNames, setOwn } from '../../../src/machinery/json/json.ts';

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

test.each([
  'a',
  '0',
  '99999',
  '100000',
  '4294967293',
  '4294967294',
  '4294967295',
  '0123456',
  '__proto__',
  'constructor',
])('a field %s is set beside those that are there', (field) => {
  const before = { b: 1, '123456': 2, '4294967294': 3, '99999999999': 4 };
  const after = setOwn({ ...before }, field, 5);
  const names = [...new Set([...Object.keys(before), field])];
  expect(Object.keys(after).toSorted()).toEqual(names.toSorted());
  for (const [name, value] of Object.entries(after)) {
    expect(value).toBe(name === field ? 5 : before[name as keyof typeof before]);
  }
  expect(Object.keys(setOwn({}, field, 5))).toEqual([field]);
  expect(Object.getPrototypeOf(after)).toBe(Object.prototype);
});
