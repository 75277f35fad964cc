import { expect, test } from 'vitest';
import { quickRegex } from '../../src/cel/run/quick-regex.ts';

const facts: readonly [fact: string, pattern: string, isQuick: boolean][] = [
  ['an anchored class may repeat', '^[a-z0-9-]+$', true],
  ['plain text is quick', '^kube-system$', true],
  ['an escaped point is a character', '^v1\\.[0-9]+', true],
  ['without an anchor every start is tried', '[a-z]+$', false],
  ['two repeats can take quadratic time', '^[a-z]+[a-z]+$', false],
  ['groups are left to RE2', '^(a+)+$', false],
  ['a point means something else in JavaScript', '^.+$', false],
  ['so do flags', '(?i)^abc$', false],
  ['and classes by name', '^\\pL$', false],
  ['a backwards range is for RE2 to refuse', '^[z-a]$', false],
];

test.each(facts)('%s', (_fact, pattern, isQuick) => {
  expect(quickRegex(pattern) !== undefined).toBe(isQuick);
});
