import { expect, test } from 'vitest';
import { plainValue, readJson } from '../../../src/machinery/json/json-reader.ts';
import { deepestNesting } from '../../../src/machinery/json/json-walk.ts';
import { readStoredJson } from '../../../src/machinery/json/stored-json.ts';

const nested = (depth: number): string => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`;

// It may be quicker than the careful reader, and must say the same.
test.each([
  ['an object', '{"kind":"A","metadata":{"name":"a","labels":{}},"list":[1,-2.5,1e3,true,null]}'],
  ['the largest number of 64 bits', '{"a":9223372036854775807}'],
  ['one more than a double holds', '[9007199254740993]'],
  ['fifteen digits', '[999999999999999]'],
  ['many digits in a text', '{"a":"99999999999999999999"}'],
  ['a negative zero', '{"a":-0,"b":[-0]}'],
  ['a negative fraction', '{"a":-0.5}'],
  ['a date and half of a uid', '{"a":"2026-01-01","b":"7c1e-0a12"}'],
  ['a number too large for a double', '[1e999]'],
  ['half a letter', String.raw`["\ud83dx","\uDC00"]`],
  ['a repeated key', '{"a":1,"b":2,"a":{"c":3}}'],
  ['a key of objects themselves', '{"__proto__":{"a":1}}'],
  ['as deep as is read', nested(deepestNesting)],
  ['deeper', nested(deepestNesting + 2)],
  ['many brackets side by side', `[${Array.from({ length: deepestNesting }, () => '{}').join(',')}]`],
  ['an end that is cut off', '{"a":'],
  ['something behind it', '{"a":1}x'],
  ['nothing', ''],
  ['the line that is stored', '{"a":1}\n'],
])('%s is read as by the careful reader', (_what, text) => {
  const reading = readJson(text);
  const careful = reading.outcome === 'read' ? plainValue(reading.json.value) : undefined;
  expect(readStoredJson(text)).toStrictEqual(careful);
});
