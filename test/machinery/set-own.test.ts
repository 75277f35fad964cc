import { expect, test } from 'vitest';
import { setOwn } from '../../src/machinery/json/json.ts';

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
