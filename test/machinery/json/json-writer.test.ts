import { expect, test } from 'vitest';
import { type JsonDocument, JsonNumber } from '../../../src/machinery/json/json.ts';
import { writeJson, writeJsonForGo } from '../../../src/machinery/json/json-writer.ts';

const values: readonly [fact: string, value: JsonDocument, text: string][] = [
  ['plain values', { a: [1, 'x', true, null], b: {} }, '{"a":[1,"x",true,null],"b":{}}'],
  ['64-bit integers', { a: [9007199254740993n, 'x'], b: {} }, '{"a":[9007199254740993,"x"],"b":{}}'],
  ['numbers as they were read', [new JsonNumber('1.0'), { e: new JsonNumber('1e3') }, []], '[1.0,{"e":1e3},[]]'],
  ['a bare number', new JsonNumber('-0'), '-0'],
  ['no undefined fields', { a: undefined, b: 1n, c: undefined }, '{"b":1}'],
  ['field names with quotes', { 'a"b': 1n, c: { d: 2n } }, String.raw`{"a\"b":1,"c":{"d":2}}`],
];

test.each(values)('writes %s', (_fact, value, text) => {
  expect(writeJson(value)).toBe(text);
});

// Source: go src/encoding/json/encode.go, escapeHTML.
test('Go escapes what HTML would read', () => {
  expect(writeJsonForGo({ '<a>': 'b&c\u2028\u2029' })).toBe(String.raw`{"\u003ca\u003e":"b\u0026c\u2028\u2029"}`);
  expect(writeJson({ '<a>': 'b&c' })).toBe('{"<a>":"b&c"}');
});

test('nesting of 10000 is written', () => {
  let nested: JsonDocument = [];
  for (let depth = 1; depth < 10_000; depth += 1) nested = [nested];
  expect(writeJson(nested)).toBe('['.repeat(10_000) + ']'.repeat(10_000));
});
