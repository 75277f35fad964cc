import { expect, test } from 'vitest';
import { JsonNumber } from '../../../src/machinery/json/json.ts';
import { goNumber, type JsonText, plainValue, readJson } from '../../../src/machinery/json/json-reader.ts';

function reading(text: string): JsonText {
  const result = readJson(text);
  if (result.outcome !== 'read') throw new Error(result.error);
  return result.json;
}

const number = (text: string): JsonNumber => new JsonNumber(text);

// Source: JSON (RFC 8259), and JsonDocument's promise to keep what JavaScript would print differently.
const documents: readonly [fact: string, text: string, value: unknown][] = [
  [
    'scalars and containers',
    ' {"a":[1,-2.5,true,false,null,"x"],"b":{}} ',
    { a: [1, -2.5, true, false, null, 'x'], b: {} },
  ],
  ['a bare value', '7', 7],
  ['escapes', String.raw`["\"\\\/\b\f\n\r\té"]`, ['"\\/\b\f\n\r\té']],
  ['a surrogate pair', String.raw`"\ud83d\ude00"`, '😀'],
  ['a lone surrogate is replaced, as in Go', String.raw`["\ud83dx","\udc00"]`, ['\ufffdx', '\ufffd']],
  [
    'the text of a number JavaScript prints otherwise',
    '[1.0,1e3,-0,1E400,0.10]',
    ['1.0', '1e3', '-0', '1E400', '0.10'].map(number),
  ],
  ['an integer past 2^53', '[9007199254740993,9007199254740994]', ['9007199254740993', '9007199254740994'].map(number)],
  ['colons, brackets and digits inside strings', String.raw`{"a:{1.0\"":"[:,\\"}`, { 'a:{1.0"': '[:,\\' }],
  ['the last of repeated keys', '{"a":1,"b":2,"a":{"c":3}}', { a: { c: 3 }, b: 2 }],
  [
    'odd numbers beside everything else',
    '{"a":{"b":[[],{"c":1.0}]},"d":[null]}',
    { a: { b: [[], { c: number('1.0') }] }, d: [null] },
  ],
];

test.each(documents)('reads %s', (_fact, text, value) => {
  expect(reading(text).value).toEqual(value);
});

// Source: go src/encoding/json/scanner.go; the first row is also recorded in the fact crud-patch-errors.
const faults: readonly [text: string, error: string, offset: number][] = [
  ['{bad', "invalid character 'b' looking for beginning of object key string", 1],
  ['{"apiVersion": "v1", ', 'unexpected end of JSON input', 21],
  ['', 'unexpected end of JSON input', 0],
  ['{"a":1}x', "invalid character 'x' after top-level value", 7],
  ['01', "invalid character '1' after top-level value", 1],
  ['nope', "invalid character 'o' in literal null (expecting 'u')", 1],
  ['tru', 'unexpected end of JSON input', 3],
  ['[1 2]', "invalid character '2' after array element", 3],
  ['[1,]', "invalid character ']' looking for beginning of value", 3],
  ['{"a" 1}', "invalid character '1' after object key", 5],
  ['{"a":1 "b"}', `invalid character '"' after object key:value pair`, 7],
  ['{"a":1,}', "invalid character '}' looking for beginning of object key string", 7],
  ["{'a':1}", String.raw`invalid character '\'' looking for beginning of object key string`, 1],
  ['"a\nb"', String.raw`invalid character '\n' in string literal`, 2],
  ['"a\u0000b"', String.raw`invalid character '\x00' in string literal`, 2],
  [String.raw`"\x"`, "invalid character 'x' in string escape code", 2],
  [String.raw`"\u12g4"`, String.raw`invalid character 'g' in \u hexadecimal character escape`, 5],
  ['-', 'unexpected end of JSON input', 1],
  ['-a', "invalid character 'a' in numeric literal", 1],
  ['1.a', "invalid character 'a' after decimal point in numeric literal", 2],
  ['1ex', "invalid character 'x' in exponent of numeric literal", 2],
  ['1e+x', "invalid character 'x' in exponent of numeric literal", 3],
  ['1e5e', "invalid character 'e' after top-level value", 3],
  ['1.5.', "invalid character '.' after top-level value", 3],
  ['é', "invalid character 'Ã' looking for beginning of value", 0],
  ['["a", €]', "invalid character 'â' looking for beginning of value", 6],
  ['+1', "invalid character '+' looking for beginning of value", 0],
  ['/', "invalid character '/' looking for beginning of value", 0],
  ['['.repeat(501), "invalid character '[' exceeded max depth", 500],
  ['apiVersion: v1', "invalid character 'a' looking for beginning of value", 0],
];

test.each(faults.map(([text, error, offset]) => [text.slice(0, 30), text, error, offset] as const))(
  '%j is refused',
  (_title, text, error, offset) => {
    expect(readJson(text)).toEqual({ outcome: 'unreadable', error, offset });
  },
);

test('nesting of 500 is read', () => {
  const { value } = reading('['.repeat(500) + ']'.repeat(500));
  let depth = 0;
  for (let inner = value; Array.isArray(inner); inner = inner[0]) depth += 1;
  expect(depth).toBe(500);
});

test.each(['{"__proto__":{"polluted":1}}', '{"__proto__":{"polluted":1.0}}'])('%s is plain data', (text) => {
  const { value } = reading(text);
  expect(Object.keys(Object(value))).toEqual(['__proto__']);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(Object.keys(Object(plainValue(value)))).toEqual(['__proto__']);
});

// Source: sigs.k8s.io/json; the first paths are those of spec/kubectl.md 7.1.
const keyLists: readonly [text: string, keys: readonly [path: string, offset: number, duplicate: boolean][]][] = [
  ['[]', []],
  [
    '{"spec":{"containers":[{"name":"a","name":"b"},{}, {"x":[[1],[{"y":1}]]}]},"spec":1}',
    [
      ['spec', 1, false],
      ['spec.containers', 9, false],
      ['spec.containers[0].name', 24, false],
      ['spec.containers[0].name', 35, true],
      ['spec.containers[2].x', 52, false],
      ['spec.containers[2].x[1][0].y', 63, false],
      ['spec', 75, true],
    ],
  ],
];

test.each(keyLists)('the keys of %s', (text, keys) => {
  const json = reading(text);
  expect(json.keys().map(({ path, offset, duplicate }) => [path, offset, duplicate])).toEqual(keys);
  expect(json.hasDuplicates).toBe(keys.some(([, , duplicate]) => duplicate));
});

// Source: sigs.k8s.io/json decode.go, convertNumber with useInt64.
const numbers: readonly [literal: string, value: number | bigint][] = [
  ['1', 1],
  ['-0', 0],
  ['1.0', 1],
  ['1e3', 1000],
  ['9007199254740993', 9007199254740993n],
  ['-9223372036854775808', -9223372036854775808n],
  ['9223372036854775808', 9223372036854775808],
];

test.each(numbers)('%s without a type', (literal, value) => {
  expect(goNumber(literal)).toBe(value);
  expect(plainValue(reading(`{"a":[${literal}]}`).value)).toEqual({ a: [value] });
});

test('a document without odd numbers is its own plain value', () => {
  const { value } = reading('{"a":[1,{"b":"c"}]}');
  expect(plainValue(value)).toBe(value);
});

test.each([
  ['objects', `{${Array.from({ length: 9_000 }, (_, at) => `"f${at}":{"a":1.5}`).join(',')}}`],
  ['numbers that are spelled oddly', `[${Array.from({ length: 9_000 }, () => '1.0').join(',')}]`],
])('thousands of %s are made plain', (_what, text) => {
  const { value } = reading(text);
  expect(plainValue(value)).toEqual(JSON.parse(text));
});

test('plainValue survives the deepest nesting', () => {
  expect(plainValue(reading(`${'['.repeat(500)}1.0${']'.repeat(500)}`).value)).toBeInstanceOf(Array);
});
