import { expect, test } from 'vitest';
import { namesOf, sortedNamesOf } from '../../src/apimachinery/field-names.ts';

const objectOf = (length: number): object =>
  Object.fromEntries(Array.from({ length }, (_none, at) => [`name-${length - at}`, at]));

test.each([0, 1, 2, 2_000, 2_001, 5_000])('the names of %i fields, as they stand and sorted, asked twice', (length) => {
  const object = objectOf(length);
  for (const _time of [1, 2]) {
    expect(namesOf(object)).toEqual(Object.keys(object));
    expect(sortedNamesOf(object)).toEqual(Object.keys(object).toSorted());
  }
});

test('large objects of the same names are told apart', () => {
  const [one, other] = [objectOf(3_000), { ...objectOf(3_000), another: 1 }];
  expect([namesOf(one).length, namesOf(other).length, namesOf(one).length]).toEqual([3_000, 3_001, 3_000]);
});
