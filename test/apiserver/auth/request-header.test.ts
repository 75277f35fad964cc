import { expect, test } from 'vitest';
import { authenticate, type Credentials } from '../../../src/apiserver/auth/authenticate.ts';
import { createTokenVerifier, tokenFileSource } from '../../../src/apiserver/auth/bearer-token.ts';
import { type ProxyTrust, type SentHeaders, userOfHeaders } from '../../../src/apiserver/auth/request-header.ts';
import { parseTokenFile } from '../../../src/apiserver/auth/token-file.ts';

const trust: ProxyTrust = {
  allowedNames: ['front'],
  usernameHeaders: ['X-Remote-User', 'X-User2'],
  uidHeaders: ['X-Remote-Uid'],
  groupHeaders: ['X-Remote-Group', 'X-Group2'],
  extraHeaderPrefixes: ['X-Remote-Extra-'],
};

const sent = (headers: Readonly<Record<string, readonly string[]>>): SentHeaders => ({
  names: () => Object.keys(headers),
  values: (name) => headers[name] ?? [],
});

// Source: apiserver pkg/authentication/request/headerrequest/requestheader_test.go; kube-apiserver v1.36.2 was asked the same.
test.each([
  ['a user alone', { 'x-remote-user': ['amy'] }, { username: 'amy', uid: '', groups: [], extra: {} }],
  ['the first header that is not empty', { 'x-remote-user': [''], 'x-user2': ['bert', 'amy'] }, { username: 'bert' }],
  ['the first of two headers', { 'x-remote-user': ['amy'], 'x-user2': ['bert'] }, { username: 'amy' }],
  [
    'groups of all headers, each value by itself',
    { 'x-remote-user': ['amy'], 'x-group2': ['d'], 'x-remote-group': ['a', '', 'b, c'] },
    { groups: ['a', 'b, c', 'd'] },
  ],
  [
    'extra fields, their names decoded',
    {
      'x-remote-user': ['amy'],
      'x-remote-uid': ['7'],
      'x-remote-extra-scopes': ['x', 'y'],
      'x-remote-extra-acme.com%2fproject': ['p'],
      'x-remote-extra-%zz': ['q'],
    },
    { uid: '7', extra: { scopes: ['x', 'y'], 'acme.com/project': ['p'], '%zz': ['q'] } },
  ],
])('%s', (_fact, headers, user) => {
  expect(userOfHeaders(sent(headers), trust)).toMatchObject(user);
});

test.each([
  ['no header', {}],
  ['an empty one', { 'x-remote-user': [''] }],
  ['groups without a user', { 'x-remote-group': ['a'] }],
])('%s names nobody', (_fact, headers) => {
  expect(userOfHeaders(sent(headers), trust)).toBeUndefined();
});

const reading = parseTokenFile('T,jane,1,devs\n', 't.csv');
const tokens = reading.outcome === 'read' ? reading.tokens : new Map();
const verifyToken = createTokenVerifier([tokenFileSource(tokens, ['api'])], ['api']);
const front = { commonName: 'front', organizations: [] };
const other = { commonName: 'other', organizations: [] };
const amy = sent({ 'x-remote-user': ['amy'] });
const ann = { commonName: 'ann', organizations: ['dev'] };

// Source: kube-apiserver v1.36.2, asked with such certificates and headers.
test.each<[fact: string, credentials: Partial<Credentials>, username: string | 401]>([
  ['a proxy names the user', { proxyCertificate: front, headers: amy }, 'amy'],
  ['it goes before a wrong token', { proxyCertificate: front, headers: amy, authorization: 'Bearer wrong' }, 'amy'],
  ['it goes before the certificate', { proxyCertificate: front, certificate: front, headers: amy }, 'amy'],
  ['of a proxy and a client, without a header', { proxyCertificate: front, certificate: front }, 'front'],
  ['a proxy that names nobody is nobody', { proxyCertificate: front, headers: sent({}) }, 401],
  ['a token beside such a proxy', { proxyCertificate: front, authorization: 'Bearer T' }, 'jane'],
  ['another name is no proxy', { proxyCertificate: other, headers: amy }, 401],
  ['and may bring a token', { proxyCertificate: other, headers: amy, authorization: 'Bearer T' }, 'jane'],
  ['a client certificate beside headers', { certificate: ann, headers: amy }, 'ann'],
  ['without a name it is nobody', { certificate: { ...ann, commonName: '' }, headers: amy }, 401],
  ['headers without a certificate', { headers: amy }, 'system:anonymous'],
])('%s', async (_fact, credentials, username) => {
  const given = { authorization: undefined, certificate: undefined, ...credentials };
  const result = await authenticate(given, { verifyToken, anonymousAuth: true, proxies: trust });
  expect(result.ok ? result.value.username : result.status.code).toBe(username);
});

test('without a list of names every proxy counts, and is authenticated', async () => {
  const given = { authorization: undefined, certificate: undefined, proxyCertificate: other, headers: amy };
  const proxies = { ...trust, allowedNames: [] };
  expect(await authenticate(given, { verifyToken, anonymousAuth: false, proxies })).toMatchObject({
    value: { username: 'amy', groups: ['system:authenticated'] },
  });
});
