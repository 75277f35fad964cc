import { expect, test } from 'vitest';
import { decodeYamlBytes, goQuoteBytes, utf8Error } from '../../../src/machinery/go/utf8.ts';

// Source: goyaml.v2 readerc.go yaml_parser_update_buffer; go src/strconv/quote.go.
const facts: readonly [bytes: readonly number[], fault: string, quoted: string][] = [
  [[], '', '""'],
  [[0x61, 0xc3, 0xa4, 0xf0, 0x9d, 0x84, 0x9e], '', '"aä𝄞"'],
  [[0x61, 0x80], 'invalid leading UTF-8 octet', '"a\\x80"'],
  [[0x61, 0xfe], 'invalid leading UTF-8 octet', '"a\\xfe"'],
  [[0xc3], 'incomplete UTF-8 octet sequence', '"\\xc3"'],
  [[0xe2, 0x82, 0x61], 'invalid trailing UTF-8 octet', '"\\xe2\\x82a"'],
  [[0xc0, 0x80], 'invalid length of a UTF-8 sequence', '"\\xc0\\x80"'],
  [[0xed, 0xa0, 0x80], 'invalid Unicode character', '"\\xed\\xa0\\x80"'],
  [[0xf4, 0x90, 0x80, 0x80], 'invalid Unicode character', '"\\xf4\\x90\\x80\\x80"'],
  [[0x1f, 0x8b], '', '"\\x1f\\x8b"'],
  [[0xff, 0xfe, 0x61, 0x00], '', '"\\xff\\xfea\\x00"'],
];

test.each(facts)('%j', (bytes, fault, quoted) => {
  expect(utf8Error(Uint8Array.from(bytes))).toBe(fault);
  expect(goQuoteBytes(Uint8Array.from(bytes))).toBe(quoted);
});

// Source: goyaml.v2 readerc.go yaml_parser_determine_encoding.
const encoded: readonly [bytes: readonly number[], text: string][] = [
  [[0x61], 'a'],
  [[0xef, 0xbb, 0xbf, 0x61], 'a'],
  [[0xff, 0xfe, 0x61, 0x00, 0xe4, 0x00], 'aä'],
  [[0xfe, 0xff, 0x00, 0x61, 0x00, 0xe4], 'aä'],
  [[0x61, 0xff, 0xfe], 'a\ufffd\ufffd'],
];

test.each(encoded)('%j is decoded by its byte order mark', (bytes, text) => {
  expect(decodeYamlBytes(Uint8Array.from(bytes))).toBe(text);
});
