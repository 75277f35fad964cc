import { expect, test } from 'vitest';
import type { JsonValue } from '../../src/apimachinery/json.ts';
import { semanticEqual } from '../../src/apimachinery/semantic-equal.ts';

// Source: apimachinery pkg/api/equality/semantic.go and third_party/forked/golang/reflect/deep_equal.go
const facts: readonly [fact: string, a: JsonValue, b: JsonValue, equal: boolean][] = [
  ['the order of fields does not matter', { a: 1, b: 2 }, { b: 2, a: 1 }, true],
  ['a missing field does', { a: 1, b: 2 }, { a: 1 }, false],
  ['the order of a list does', { a: [1, 2] }, { a: [2, 1] }, false],
  ['a null list equals an empty one', { containers: null }, { containers: [] }, true],
  ['an empty struct is not an absent pointer', { emptyDir: {} }, {}, false],
  ['quantities are equal by value', { limits: { memory: '1Gi' } }, { limits: { memory: '1073741824' } }, true],
  ['quantities of another value are not', { limits: { cpu: '1' } }, { limits: { cpu: '2' } }, false],
  ['other texts are equal by letters', { data: { size: '1Gi' } }, { data: { size: '1024Mi' } }, false],
  ['a bigint is compared by value', { n: 9007199254740993n }, { n: 9007199254740993n }, true],
];

test.each(facts)('%s', (_fact, a, b, equal) => {
  expect(semanticEqual(a, b)).toBe(equal);
  expect(semanticEqual(b, a)).toBe(equal);
});
