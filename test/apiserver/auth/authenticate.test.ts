import { expect, test } from 'vitest';
import { authenticate, type Credentials } from '../../../src/apiserver/auth/authenticate.ts';
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
