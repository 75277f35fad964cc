import { expect, test } from 'vitest';
import { countValues, maxJsonBytes } from '../../../src/machinery/json/json-walk.ts';
import { JsonNumber } from '../../../src/machinery/json/json.ts';

const empty = { containers: 1, texts: 0, characters: 0, others: 0, names: 0, nameCharacters: 0 };

test('what is in an object and its lists', () => {
  const value = { name: 'ab', none: null, list: [1, 'c', [true]], number: new JsonNumber('1e400') };
  expect(countValues(value, 100)).toEqual({
    left: 100 - 4 - 3 - 1,
    containers: 3,
    texts: 2,
    characters: 3,
    others: 4,
    names: 4,
    nameCharacters: 'namenonelistnumber'.length,
  });
});

test.each([
  ['an empty list', [], 0, { ...empty, left: 0 }],
  ['as many as may be counted', ['a', 'b'], 2, { ...empty, left: 0, texts: 2, characters: 2 }],
  ['one more: nothing in it is looked at', ['a', 'b', 'c'], 2, { ...empty, left: -1 }],
  ['one more inside', [['a'], ['b']], 3, { ...empty, left: -1, containers: 3, texts: 1, characters: 1 }],
])('%s', (_what, value, most, counted) => {
  expect(countValues(value, most)).toEqual(counted);
});

test.each([
  ['an object', { a: 'b', list: [1, 'c', [true, null]], nothing: {} }],
  ['characters of six bytes', { '\u0001\u0002': '\u0003'.repeat(99) }],
  ['characters of three bytes', { '\u20ac': ['\ud800', '\u20ac'.repeat(99)] }],
  ['long numbers', [-1.7976931348623157e308, -2.2250738585072014e-308, -Number.MAX_SAFE_INTEGER]],
])('the JSON of %s has no more bytes than its bound', (_what, value) => {
  expect(Buffer.byteLength(JSON.stringify(value))).toBeLessThanOrEqual(maxJsonBytes(value));
});
