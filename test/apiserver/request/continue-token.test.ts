import { expect, test } from 'vitest';
import { continueAfter, readContinue } from '../../../src/apiserver/request/continue-token.ts';

const encoded = (text: string): string => Buffer.from(text).toString('base64url');
const token = (fields: object): string => encoded(JSON.stringify(fields));
const version = 'meta.k8s.io/v1';

// Source: apiserver pkg/storage/continue.go EncodeContinue: a marshalled continueToken in raw URL base64.
test('a token is what clients of other servers would see', () => {
  expect(continueAfter('default/a', 9)).toBe(token({ v: version, rv: 9, start: 'default/a\u0000' }));
});

test.each(['default/a', 'a', 'ns/é', `ns/${'?>~'.repeat(9)}`])('the page after %s', (path) => {
  const made = continueAfter(path, 12);
  expect(made).toMatch(/^[A-Za-z0-9_-]+$/);
  expect(readContinue(made)).toEqual({ outcome: 'read', after: path, revision: 12 });
});

test('a revision beyond 2^53 is one', () => {
  const made = encoded('{"v":"meta.k8s.io/v1","rv":9007199254740993,"start":"a"}');
  expect(readContinue(made)).toMatchObject({ outcome: 'read', after: 'a' });
});

// Source: the same, DecodeContinue; Go's path.Clean.
test.each<[start: string, after: string]>([
  ['a', 'a'],
  ['/', '/'],
  ['/a', '/a'],
  ['/a/b', '/a/b'],
  ['a/...', 'a/...'],
  ['a\u0000', 'a'],
  ['a\u0000b', 'a\u0000b'],
])('a page may begin at %j', (start, after) => {
  expect(readContinue(token({ v: version, rv: 9, start, more: 1 }))).toEqual({ outcome: 'read', after, revision: 9 });
});

test.each(['//', '//a', '/a/', 'a/', '.', '..', 'a/./b', 'a/../b', '/..', 'a/..'])('and not at %j', (start) => {
  const error = `continue key is not valid: ${start}`;
  expect(readContinue(token({ v: version, rv: 9, start }))).toEqual({ outcome: 'invalid', error });
});

// Source: Go's encoding/json: what a struct's fields may be, and how a byte that is no text is quoted.
test.each<[json: string, error: string]>([
  ['null', 'server does not recognize this encoded version '],
  ['true', 'json: cannot unmarshal bool into Go value of type storage.continueToken'],
  ['7', 'json: cannot unmarshal number into Go value of type storage.continueToken'],
  ['9007199254740993', 'json: cannot unmarshal number into Go value of type storage.continueToken'],
  ['"a"', 'json: cannot unmarshal string into Go value of type storage.continueToken'],
  ['{"v":1}', 'json: cannot unmarshal number into Go struct field continueToken.v of type string'],
  ['{"v":[]}', 'json: cannot unmarshal array into Go struct field continueToken.v of type string'],
  ['{"v":"v2","rv":{}}', 'json: cannot unmarshal object into Go struct field continueToken.rv of type int64'],
  ['{"start":false}', 'json: cannot unmarshal bool into Go struct field continueToken.start of type string'],
  ['{"v":"v2","rv":null,"start":null,"x":[]}', 'server does not recognize this encoded version v2'],
  [`{"v":"${version}","rv":0}`, `incorrect encoded start resourceVersion (version ${version})`],
  [`{"v":"${version}","rv":1,"start":null}`, `encoded start key empty (version ${version})`],
])('a token of %s', (json, error) => {
  expect(readContinue(encoded(json))).toEqual({ outcome: 'invalid', error: `continue key is not valid: ${error}` });
});

test.each<[byte: number, shown: string]>([
  [0x7e, '~'],
  [0x80, String.raw`\u0080`],
  [0xa0, String.raw`\u00a0`],
  [0xa1, '\u00a1'],
  [0xac, '\u00ac'],
  [0xad, String.raw`\u00ad`],
  [0xae, '\u00ae'],
  [0xff, '\u00ff'],
])('a byte of %i is shown as %s', (byte, shown) => {
  const error = `continue key is not valid: invalid character '${shown}' looking for beginning of value`;
  expect(readContinue(Buffer.from([byte]).toString('base64url'))).toEqual({ outcome: 'invalid', error });
});

// Source: apiserver pkg/storage/continue.go DecodeContinue.
test.each<readonly [sentence: string, token: string, error: string]>([
  ['is no base64', 'a*bc', 'illegal base64 data at input byte 1'],
  ['is padded', 'YQ==', 'illegal base64 data at input byte 2'],
  ['is of the other alphabet', 'ab+/', 'illegal base64 data at input byte 2'],
  ['is a character too long', 'abcde', 'illegal base64 data at input byte 4'],
  ['is empty inside', '', 'unexpected end of JSON input'],
  ['is no JSON', encoded('hello'), "invalid character 'h' looking for beginning of value"],
  ['is cut', encoded('{"v":'), 'unexpected end of JSON input'],
  ['is of no version', token({ rv: 9, start: 'a' }), 'server does not recognize this encoded version '],
  ['is of another version', token({ v: 'v2', rv: 9, start: 'a' }), 'server does not recognize this encoded version v2'],
  [
    'names no revision',
    token({ v: version, start: 'a' }),
    `incorrect encoded start resourceVersion (version ${version})`,
  ],
  ['is a list', encoded('[]'), 'json: cannot unmarshal array into Go value of type storage.continueToken'],
  [
    'names a revision as a text',
    token({ v: version, rv: '9', start: 'a' }),
    'json: cannot unmarshal string into Go struct field continueToken.rv of type int64',
  ],
  ['leads out of where it begins', token({ v: version, rv: -5, start: '/../../x' }), '/../../x'],
  ['has an empty part', token({ v: version, rv: 9, start: 'a//b' }), 'a//b'],
  ['names no start', token({ v: version, rv: 9 }), `encoded start key empty (version ${version})`],
])('a token that %s', (_sentence, text, error) => {
  expect(readContinue(text)).toEqual({ outcome: 'invalid', error: `continue key is not valid: ${error}` });
});
