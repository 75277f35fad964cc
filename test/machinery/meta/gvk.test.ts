import { expect, test } from 'vitest';
import { compareVersionNames } from '../../../src/machinery/meta/gvk.ts';

// Source: the example in upstream's documentation of CompareKubeAwareVersionStrings.
const newestFirst = [
  'v10',
  'v2',
  'v1',
  'v11beta2',
  'v10beta3',
  'v3beta1',
  'v12alpha1',
  'v11alpha2',
  'foo1',
  'foo10',
  'v0',
  'v1beta0',
];

test('versions from the newest to the oldest', () => {
  expect(newestFirst.toReversed().toSorted((a, b) => compareVersionNames(b, a))).toEqual(newestFirst);
});

test('a version is as new as itself', () => {
  expect(compareVersionNames('v1', 'v1')).toBe(0);
});
