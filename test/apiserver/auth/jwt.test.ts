import { expect, test } from 'vitest';
import { decodeJwt } from '../../../src/apiserver/auth/jwt.ts';

const part = (text: string): string => Buffer.from(text).toString('base64url');
const partOf = (value: object): string => part(JSON.stringify(value));
const head = partOf({ alg: 'RS256', kid: 'k' });
const nested = (levels: number): string => part(`{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`);

test.each([
  ['three parts', `${head}.${part('{"iss":"a"}')}.c2ln`, true],
  ['brackets inside of a text', `${head}.${part(JSON.stringify({ a: `\\"${'['.repeat(9_000)}` }))}.c2ln`, true],
  ['500 levels', `${head}.${nested(500)}.c2ln`, true],
  [
    '600 lists beside one another',
    `${head}.${part(`{"a":[${Array.from({ length: 600 }, () => '[]').join()}]}`)}.c2ln`,
    true,
  ],
  [
    '600 objects beside one another',
    `${head}.${part(`{"a":[${Array.from({ length: 600 }, () => '{}').join()}]}`)}.c2ln`,
    true,
  ],
  ['501 levels', `${head}.${nested(501)}.c2ln`, false],
  ['300,000 levels', `${head}.${nested(300_000)}.c2ln`, false],
  ['two parts', `${head}.${part('{}')}`, false],
  ['four parts', `${head}.${part('{}')}.a.b`, false],
  ['nothing but dots', '.'.repeat(900_000), false],
  ['claims that are a list', `${head}.${part('[]')}.c2ln`, false],
  ['claims that are no base64', `${head}.***.c2ln`, false],
  [
    '501 levels behind lists beside one another',
    `${head}.${part(`{"a":[[],[],[],${'['.repeat(499)}${']'.repeat(499)}]}`)}.c2ln`,
    false,
  ],
  ['no algorithm', `${part('{}')}.${part('{}')}.c2ln`, false],
])('a token of %s', (_what, token, isOne) => {
  expect(decodeJwt(token) !== undefined).toBe(isOne);
});

// Source: go-jose JSONWebSignature: kid is a text, or is not there.
test.each([
  [{ alg: 'RS256', kid: 'k' }, 'k'],
  [{ alg: 'RS256' }, ''],
  [{ alg: 'RS256', kid: 7 }, ''],
])('of the header %j the key is %j', (header, keyId) => {
  expect(decodeJwt(`${partOf(header)}.${part('{}')}.c2ln`)).toMatchObject({ keyId });
});
