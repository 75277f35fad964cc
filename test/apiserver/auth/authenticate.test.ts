import { expect, test } from 'vitest';
import {
  authenticate,
  type Credentials,
  type ProxyTrust,
  type SentHeaders,
  readProxyHeaders,
} from '../../../src/apiserver/auth/authenticate.ts';
import { createTokenVerifier, tokenFileSource } from '../../../src/apiserver/auth/bearer-token.ts';
import { parseTokenFile } from '../../../src/apiserver/auth/token-file.ts';

const read = (text: string): unknown => {
  const reading = parseTokenFile(text, 't.csv');
  return reading.outcome === 'read' ? Object.fromEntries(reading.tokens) : reading.error;
};
const made = (username: string, uid: string, ...groups: readonly string[]): object => ({
  username,
  uid,
  groups,
  extra: {},
});

// Source: apiserver pkg/authentication/token/tokenfile/tokenfile_test.go; Go's encoding/csv reader_test.go.
const files: readonly [fact: string, text: string, tokens: unknown][] = [
  ['groups stand in one quoted field', 'T,jane,1,"a,b"\n', { T: made('jane', '1', 'a', 'b') }],
  ['one group needs no quotes', 'T,jane,1,a', { T: made('jane', '1', 'a') }],
  ['no groups at all', 'T,jane,1\r\n\r\nU,joe,2\r\n', { T: made('jane', '1'), U: made('joe', '2') }],
  ['more fields do no harm', 'T,jane,1,a,x,y\n', { T: made('jane', '1', 'a') }],
  ['an empty token is passed over', ',jane,1\nT,joe,2\n', { T: made('joe', '2') }],
  ['the last of a repeated token counts', 'T,jane,1\nT,joe,2\n', { T: made('joe', '2') }],
  ['quotes inside are doubled', '"T","ja ""ne""",1\n', { T: made('ja "ne"', '1') }],
  [
    'two fields are too few',
    'T,jane\n',
    "token file 't.csv' must have at least 3 columns (token, user name, user uid), found 2",
  ],
  ['a quote in the middle', 'T,ja"ne,1\n', 'parse error on line 1, column 5: bare " in non-quoted field'],
  ['text after a quote', 'T,"a"b,1\n', 'parse error on line 1, column 5: extraneous or missing " in quoted-field'],
];

test.each(files)('%s', (_fact, text, tokens) => {
  expect(read(text)).toEqual(tokens);
});

const reading = parseTokenFile('T,jane,1,devs\n', 't.csv');
const tokens = reading.outcome === 'read' ? reading.tokens : new Map();
const verifyToken = createTokenVerifier([tokenFileSource(tokens, ['api'])], ['api']);
const bob = { commonName: 'bob', organizations: ['ops'] };
const jane = made('jane', '1', 'devs', 'system:authenticated');
const anonymous = made('system:anonymous', '', 'system:unauthenticated');

// Source: apiserver pkg/authentication/request/bearertoken/bearertoken_test.go; facts/auth-anonymous.
const requests: readonly [fact: string, credentials: Partial<Credentials>, user: object | undefined][] = [
  ['a token names its user', { authorization: 'Bearer T' }, jane],
  ['the scheme may be in any case', { authorization: 'bearer T' }, jane],
  ['a wrong token is refused', { authorization: 'Bearer wrong' }, undefined],
  ['nothing at all is anonymous', {}, anonymous],
  ['an empty header is anonymous', { authorization: '' }, anonymous],
  ['another scheme is anonymous', { authorization: 'Basic T' }, anonymous],
  ['a certificate names its user', { certificate: bob }, made('bob', '', 'ops', 'system:authenticated')],
  [
    'a certificate goes before a wrong token',
    { certificate: bob, authorization: 'Bearer wrong' },
    made('bob', '', 'ops', 'system:authenticated'),
  ],
  ...['system:authenticated', 'system:unauthenticated'].map((group): [string, Partial<Credentials>, object] => [
    `a certificate for ${group} has no more`,
    { certificate: { commonName: 'bob', organizations: [group, 'x'] } },
    made('bob', '', group, 'x'),
  ]),
  ['a certificate without a name is none', { certificate: { commonName: '', organizations: [] } }, anonymous],
  [
    'the fingerprint becomes the credential id',
    { certificate: { ...bob, fingerprint: 'ab' } },
    {
      ...made('bob', '', 'ops', 'system:authenticated'),
      extra: { 'authentication.kubernetes.io/credential-id': ['X509SHA256=ab'] },
    },
  ],
];

// Source: apiserver pkg/authentication/request/x509/x509.go parseUIDFromCert.
const uids: readonly [
  fact: string,
  readsCertificateUids: boolean,
  uids: readonly string[],
  user: object | undefined,
][] = [
  ['a certificate has a UID', true, ['42'], made('bob', '42', 'ops', 'system:authenticated')],
  ['two UIDs are refused', true, ['42', '43'], undefined],
  ['an empty UID is refused', true, [''], undefined],
  ['without the feature gate no UID counts', false, ['42', '43'], made('bob', '', 'ops', 'system:authenticated')],
];

test.each(uids)('%s', async (_fact, readsCertificateUids, given, expected) => {
  const credentials = { authorization: undefined, certificate: { ...bob, uids: given } };
  const result = await authenticate(credentials, { verifyToken, anonymousAuth: true, readsCertificateUids });
  expect(result.ok ? result.value : result.status.code).toEqual(expected ?? 401);
});

test('a token counts beside a certificate with two UIDs', async () => {
  const credentials = { authorization: 'Bearer T', certificate: { ...bob, uids: ['42', '43'] } };
  expect(await authenticate(credentials, { verifyToken, anonymousAuth: true })).toEqual({ ok: true, value: jane });
});

test.each(requests)('%s', async (_fact, credentials, expected) => {
  const given = { authorization: undefined, certificate: undefined, ...credentials };
  const result = await authenticate(given, { verifyToken, anonymousAuth: true });
  expect(result.ok ? result.value : result.status.code).toEqual(expected ?? 401);
});

test('without anonymous requests, nothing at all is refused', async () => {
  const given = { authorization: undefined, certificate: undefined };
  expect(await authenticate(given, { verifyToken, anonymousAuth: false })).toMatchObject({ status: { code: 401 } });
});

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
  expect(readProxyHeaders(sent(headers), trust)).toMatchObject(user);
});

test.each([
  ['no header', {}],
  ['an empty one', { 'x-remote-user': [''] }],
  ['groups without a user', { 'x-remote-group': ['a'] }],
])('%s names no user', (_fact, headers) => {
  expect(readProxyHeaders(sent(headers), trust)).toBeUndefined();
});

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
  ['a proxy that names no user is refused', { proxyCertificate: front, headers: sent({}) }, 401],
  ['a token beside such a proxy', { proxyCertificate: front, authorization: 'Bearer T' }, 'jane'],
  ['another name is no proxy', { proxyCertificate: other, headers: amy }, 401],
  ['and may bring a token', { proxyCertificate: other, headers: amy, authorization: 'Bearer T' }, 'jane'],
  ['a client certificate beside headers', { certificate: ann, headers: amy }, 'ann'],
  ['without a common name it is refused', { certificate: { ...ann, commonName: '' }, headers: amy }, 401],
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
