import { expect, test } from 'vitest';
import { readCsv } from '../../../src/apiserver/auth/token-file.ts';

// Source: Go's encoding/csv reader_test.go.
test.each<[what: string, text: string, records: readonly (readonly string[])[]]>([
  ['nothing', '', []],
  ['empty lines', '\n\r\n\n', []],
  ['one field', 'a', [['a']]],
  ['two records', 'a,b\nc\n', [['a', 'b'], ['c']]],
  ['an empty field before another', ',a', [['', 'a']]],
  ['an empty quoted field', '"",a', [['', 'a']]],
  ['an empty quoted field at the end of a record', 'a,""\nb', [['a', ''], ['b']]],
  ['one quote in a quoted field', '"""",a', [['"', 'a']]],
  ['quotes, commas and lines inside', '"a ""b"", c\nd",e', [['a "b", c\nd', 'e']]],
])('%s', (_what, text, records) => {
  expect(readCsv(text)).toEqual({ outcome: 'read', records });
});

test.each<[what: string, text: string, error: string]>([
  ['a quote in the middle', 'ab"c', 'line 1, column 3: bare " in non-quoted field'],
  ['a quote behind a first letter', 'x,a"', 'line 1, column 4: bare " in non-quoted field'],
  ['a quote in a later line', 'a\nb"', 'line 2, column 2: bare " in non-quoted field'],
  ['a quote that does not end', '"ab', 'line 1, column 4: extraneous or missing " in quoted-field'],
  ['text behind a quote', '"a" ,b', 'line 1, column 3: extraneous or missing " in quoted-field'],
])('%s cannot be read', (_what, text, error) => {
  expect(readCsv(text)).toEqual({ outcome: 'unreadable', error: `parse error on ${error}` });
});
