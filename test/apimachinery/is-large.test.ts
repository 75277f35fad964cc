import { expect, test } from 'vitest';
import { isLarge } from '../../src/apimachinery/is-large.ts';
import type { JsonValue } from '../../src/apimachinery/json.ts';

const wide = (fields: number): JsonValue =>
  Object.fromEntries(Array.from({ length: fields }, (_, at) => [`f${at}`, at]));
const long = (items: number): JsonValue => Array.from({ length: items }, (_, at) => at);

test.each<[what: string, value: JsonValue | undefined, large: boolean]>([
  ['nothing', undefined, false],
  ['null', null, false],
  ['a long text', 'a'.repeat(100_000), false],
  ['a very long text', 'a'.repeat(256_000), true],
  ['one with one character less', 'a'.repeat(255_999), false],
  ['two that are long together', { a: 'a'.repeat(150_000), b: ['a'.repeat(150_000)] }, true],
  ['few items', long(1_999), false],
  ['one more', long(2_000), true],
  ['few fields', wide(1_999), false],
  ['many fields', wide(2_000), true],
  ['many inside of one another', { a: [{ b: wide(2_000) }] }, true],
  ['few in each of two', { a: wide(900), b: wide(900) }, false],
  ['few in each of three', { a: wide(900), b: wide(900), c: long(900) }, true],
])('%s', (_what, value, large) => {
  expect([isLarge(value), isLarge(value)]).toEqual([large, large]);
});

test('the fields of a wide object are listed once, however many objects are around it', () => {
  let listed = 0;
  const fields = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`k${at}`, { a: { b: [1, 2, 3, 4] } }]));
  const ownKeys = (target: object): (string | symbol)[] => {
    listed += 1;
    return Reflect.ownKeys(target);
  };
  let value: JsonValue = new Proxy<{ [name: string]: JsonValue }>(fields, { ownKeys });
  const around = [value];
  for (let level = 0; level < 8; level += 1) around.push((value = { inside: value }));
  for (const one of around.toReversed()) expect(isLarge(one)).toBe(true);
  expect(listed).toBe(1);
});
