import { createPrivateKey, createPublicKey, constants, generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type Server } from 'node:https';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { issueCertificate } from '../../../../src/adapters/certificates/issue-certificate.ts';
import type { TokenSource } from '../../../../src/apiserver/auth/bearer-token.ts';
import { createClosing } from '../../../../src/app/server/closing.ts';
import { openJwtAuthenticators } from '../../../../src/app/server/jwt/jwt-authenticators.ts';
import { openLog } from '../../../../src/adapters/telemetry/log.ts';
import { bareConfig } from '../../../harness/start-kadmit.ts';

const api = 'https://kubernetes.default.svc';
const now = 1_800_000_000_000;
const folder = mkdtempSync(join(tmpdir(), 'kadmit-jwt-'));
const pems = Object.fromEntries(
  ['rsa', 'ec', 'other'].map((name) => {
    const pair =
      name === 'ec'
        ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
        : generateKeyPairSync('rsa', { modulusLength: 2048 });
    return [name, pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()];
  }),
);
const pem = (name: string): string => pems[name] ?? '';
const closing = createClosing();
let server: Server;
let source: TokenSource;
let url = '';

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

interface How {
  readonly key?: string;
  readonly alg?: string;
  readonly kid?: string;
}

function token(claims: object, { key = 'rsa', alg = key === 'ec' ? 'ES256' : 'RS256', kid = key }: How = {}): string {
  const signed = `${encoded({ alg, kid })}.${encoded({ exp: now / 1000 + 600, aud: 'kadmit', ...claims })}`;
  if (alg === 'none') return `${signed}.`;
  const privateKey = createPrivateKey(pem(key));
  const how = alg.startsWith('ES')
    ? ({ key: privateKey, dsaEncoding: 'ieee-p1363' } as const)
    : alg.startsWith('PS')
      ? { key: privateKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
      : { key: privateKey };
  return `${signed}.${sign(`sha${alg.slice(2)}`, Buffer.from(signed), how).toString('base64url')}`;
}

/** The configuration that the recorded answers were given under. */
const configuration = (ca: string): string => `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt: ${JSON.stringify([
  {
    issuer: { url, audiences: ['kadmit'], certificateAuthority: ca },
    claimMappings: { username: { claim: 'sub', prefix: 'oidc:' }, groups: { claim: 'groups', prefix: 'g:' } },
  },
  {
    issuer: {
      url: 'https://two.example',
      discoveryURL: `${url}/two`,
      audiences: ['t1', 't2'],
      audienceMatchPolicy: 'MatchAny',
      certificateAuthority: ca,
    },
    claimValidationRules: [
      { expression: 'claims.email_verified == true', message: 'email must be verified' },
      { expression: 'claims.level >= 2 && type(claims.level) == double', message: 'level too low' },
    ],
    claimMappings: {
      username: { expression: 'claims.email' },
      groups: { expression: 'claims.?roles.orValue([])' },
      uid: { expression: 'string(claims.level)' },
      extra: [
        {
          key: 'example.com/team',
          valueExpression: "has(claims.example__dot__com__slash__team) ? claims.example__dot__com__slash__team : ''",
        },
        {
          key: 'example.com/n',
          valueExpression: 'has(claims.nested) && has(claims.nested.a__dot__b) ? claims.nested.a__dot__b : []',
        },
      ],
    },
    userValidationRules: [{ expression: "!user.username.startsWith('system:')", message: 'no system users' }],
  },
])}
`;

/** Until the keys of the issuer are there. */
async function untilVerified(each: string): Promise<void> {
  const verdict = await source(each, [api]);
  if (verdict?.outcome === 'verified') return;
  await new Promise((resolved) => setTimeout(resolved, 10));
  await untilVerified(each);
}

beforeAll(async () => {
  const order = { notBefore: new Date(Date.now() - 1000), notAfter: new Date(Date.now() + 3_600_000) };
  const ca = await issueCertificate({ ...order, commonName: 'ca', purpose: 'authority' });
  const own = await issueCertificate({
    ...order,
    commonName: 'i',
    purpose: 'server',
    names: ['localhost'],
    issuer: ca,
  });
  server = createServer({ cert: own.certificate, key: own.key }, (request, response) => {
    const issuer = request.url === '/two' ? 'https://two.example' : url;
    const keys = ['rsa', 'ec'].map((kid) => ({ ...createPublicKey(pem(kid)).export({ format: 'jwk' }), kid }));
    response.end(JSON.stringify(request.url === '/keys' ? { keys } : { issuer, jwks_uri: `${url}/keys` }));
  });
  await new Promise<void>((resolved) => server.listen(0, '127.0.0.1', resolved));
  const address = server.address();
  url = `https://localhost:${typeof address === 'object' && address ? address.port : 0}`;
  const path = join(folder, 'a.yaml');
  writeFileSync(path, configuration(ca.certificate));
  const log = await openLog({ format: 'text', verbosity: 0 });
  const ports = { log, now: () => now, issuers: [api], apiAudiences: [api] };
  const [first] = await openJwtAuthenticators({ ...bareConfig, authenticationConfig: path }, ports, closing);
  source = first ?? (async () => undefined);
  const second = token({ iss: 'https://two.example', aud: 't1', email: 'a', email_verified: true, level: 2 });
  for (const each of [token({ iss: url, sub: 'a' }), second]) await untilVerified(each);
});

afterAll(async () => {
  await closing.close();
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

const two = { iss: 'https://two.example', aud: 't2', email: 'bo@x.io', email_verified: true, level: 3 };
const verify = 'oidc: verify token: ';
const algorithms = '["ES256" "ES384" "ES512" "PS256" "PS384" "PS512" "RS256" "RS384" "RS512"]';

// Source: what kube-apiserver v1.36.2 answers to TokenReviews under the same configuration.
const accepted: readonly [fact: string, made: () => string, user: object][] = [
  [
    'claims, a list of groups, an id',
    () => token({ iss: url, sub: 'ann', groups: ['a', 'b'], jti: 'j1' }),
    {
      username: 'oidc:ann',
      uid: '',
      groups: ['g:a', 'g:b'],
      extra: { 'authentication.kubernetes.io/credential-id': ['JTI=j1'] },
    },
  ],
  ['one group', () => token({ iss: url, sub: 'ann', groups: 'solo' }, { key: 'ec' }), { groups: ['g:solo'] }],
  ['PS256', () => token({ iss: url, sub: 'ps' }, { alg: 'PS256' }), { username: 'oidc:ps', groups: [] }],
  ['no key id', () => token({ iss: url, sub: 'x' }, { kid: '' }), { username: 'oidc:x' }],
  ['a claim that is null', () => token({ iss: url, sub: null, groups: null }), { username: 'oidc:', groups: [] }],
  ['an nbf within a minute', () => token({ iss: url, sub: 'a', nbf: now / 1000 + 30 }), { username: 'oidc:a' }],
  ['several audiences', () => token({ iss: url, sub: 'a', aud: ['x', 'kadmit'] }), { username: 'oidc:a' }],
  [
    'expressions',
    () => token({ ...two, roles: ['r1', '', 'r2'], 'example.com/team': 'core', nested: { 'a.b': ['q'] } }),
    {
      username: 'bo@x.io',
      uid: '3',
      groups: ['r1', 'r2'],
      extra: { 'example.com/n': ['q'], 'example.com/team': ['core'] },
    },
  ],
];

test.each(accepted)('accepts: %s', async (_fact, made, user) => {
  expect(await source(made(), [api])).toMatchObject({ outcome: 'verified', user, audiences: [api] });
});

const refused: readonly [made: () => string, error: string][] = [
  [
    () => token({ iss: url, sub: 'a' }, { key: 'other', kid: 'rsa' }),
    `${verify}failed to verify signature: failed to verify id token signature`,
  ],
  [
    () => token({ iss: url, sub: 'a' }, { alg: 'none' }),
    `${verify}oidc: id token signed with unsupported algorithm, expected ${algorithms} got "none"`,
  ],
  [() => token({ iss: url, sub: 'a', aud: 'other' }), `${verify}oidc: expected audience "kadmit" got ["other"]`],
  [
    () => token({ iss: url, sub: 5 }),
    `${verify}oidc: failed to unmarshal claims: json: cannot unmarshal number into Go struct field idToken.sub of type string`,
  ],
  [() => token({ iss: url }), 'oidc: parse username claims "sub": claim not present'],
  [
    () => token({ ...two, email_verified: false }),
    "oidc: error evaluating claim validation expression: validation expression 'claims.email_verified == true' failed: email must be verified",
  ],
  [
    () => token({ ...two, level: 1 }),
    "oidc: error evaluating claim validation expression: validation expression 'claims.level >= 2 && type(claims.level) == double' failed: level too low",
  ],
  [
    () => token({ ...two, email: 'system:bo' }),
    "oidc: error evaluating user info validation rule: validation expression '!user.username.startsWith('system:')' failed: no system users",
  ],
  [() => token({ ...two, email: '' }), 'oidc: empty username via CEL expression is not allowed'],
  [
    () => token({ ...two, email: 7 }),
    'oidc: error evaluating username claim expression: username claim expression must return a string',
  ],
  [
    () => token({ ...two, roles: [1] }),
    'oidc: error evaluating group claim expression: expression must return a string or a list of strings',
  ],
];

test.each(refused)('refuses %#', async (made, error) => {
  expect(await source(made(), [api])).toEqual({ outcome: 'invalid', error });
});

test('an expired token is refused with its expiry', async () => {
  const verdict = await source(token({ iss: url, sub: 'a', exp: now / 1000 - 5 }), [api]);
  const error = `${verify}oidc: token is expired (Token Expiry: 2027-01-15 07:59:55 +0000 UTC)`;
  expect(verdict).toEqual({ outcome: 'invalid', error });
});

test.each([['not a token'], ['a.b.c'], ['{"payload": ""}']])('%s is not a token of the issuer', async (text) => {
  expect(await source(text, [api])).toBeUndefined();
});

test('nor is the token of another issuer, nor one for another audience of the server', async () => {
  expect(await source(token({ iss: 'https://unknown.example', sub: 'a' }), [api])).toBeUndefined();
  expect(await source(token({ iss: url, sub: 'a' }), ['https://other'])).toBeUndefined();
});
