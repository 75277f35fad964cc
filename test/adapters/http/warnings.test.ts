import { expect, test } from 'vitest';
import { warningHeaders } from '../../../src/adapters/http/write-response.ts';

const header = (text: string): string => `299 - "${text}"`;
const long = (character: string, length: number): string => character.repeat(length);

// Source: rules RSP-32 to RSP-34; a real kube-apiserver 1.36.2 for the odd and the long ones.
const facts: readonly [fact: string, warnings: readonly string[], headers: readonly string[]][] = [
  ['no warning, no header', [], []],
  ['a text is quoted, agent is -', ['be careful'], [header('be careful')]],
  ['order is kept', ['b', 'a'], [header('b'), header('a')]],
  ['repeated warnings are sent once', ['a', 'b', 'a'], [header('a'), header('b')]],
  [
    'quotes and backslashes are escaped',
    ['quote"inside', 'back\\slash'],
    [header('quote\\"inside'), header('back\\\\slash')],
  ],
  [
    'control characters drop the whole text',
    ['tab\there', 'newline\nhere', 'delete\x7f', 'c1\u0085', 'fine'],
    [header('fine')],
  ],
  ['an empty text is no warning', [''], []],
  ['other letters stay', ['ünïcode'], [header('ünïcode')]],
  ['half a surrogate pair is the replacement character', ['a\ud800'], [header('a\ufffd')]],
  [
    '4096 characters are sent in full',
    [long('x', 4000), long('y', 96)],
    [header(long('x', 4000)), header(long('y', 96))],
  ],
  [
    'one more cuts every text to 256',
    [long('x', 4000), long('y', 97), long('z', 300)],
    [header(long('x', 256)), header(long('y', 97)), header(long('z', 256))],
  ],
  ['a single text beyond the limit is cut', [long('x', 5000)], [header(long('x', 256))]],
  ['characters count, not UTF-16 units', [long('😀', 4096)], [header(long('😀', 4096))]],
  [
    'cut texts stop at 4096 characters together',
    Array.from({ length: 20 }, (_value, index) => String.fromCharCode(97 + index).repeat(300)),
    Array.from({ length: 16 }, (_value, index) => header(String.fromCharCode(97 + index).repeat(256))),
  ],
  [
    'what no header can carry does not count',
    [`${long('t', 4096)}\t`, 'a', long('b', 4000)],
    [header('a'), header(long('b', 4000))],
  ],
];

test.each(facts)('%s', (_fact, warnings, headers) => {
  expect(warningHeaders(warnings)).toEqual(headers);
});
