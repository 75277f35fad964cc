import { expect, test } from 'vitest';
import { unescaped } from '../../../src/machinery/json/unescaped.ts';

test.each([
  ['plain', 'plain'],
  ['a%2Fb', 'a/b'],
  ['caf%C3%A9', 'café'],
  ['100%', '100%'],
  ['a%2Fb%zz', 'a%2Fb%zz'],
  ['%ff', '%ff'],
  ['', ''],
])('%j is %j', (text, expected) => {
  expect(unescaped(text)).toBe(expected);
});
