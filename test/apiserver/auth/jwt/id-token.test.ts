import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/machinery/json/json.ts';
import {
  algorithmFault,
  claimSource,
  tokenFault,
  untrustedIssuer,
} from '../../../../src/apiserver/auth/jwt/id-token.ts';
import type { JwtIssuer } from '../../../../src/apiserver/auth/jwt/jwt-authenticator.ts';
import type { Jwt } from '../../../../src/apiserver/auth/jwt/jwt.ts';

/** 2024-03-01T12:00:00Z, in seconds. */
const now = 1_709_294_400;

const issuer: JwtIssuer = {
  url: 'https://idp.example.com',
  discoveryURL: '',
  certificateAuthority: '',
  audiences: ['one'],
  audienceMatchPolicy: '',
  egressSelectorType: '',
};
const good = { iss: issuer.url, aud: 'one', exp: now + 10 };
const jwt = (claims: JsonObject, algorithm = 'RS256'): Jwt => ({ token: '', algorithm, keyId: '', claims });

describe('a token whose signature is right (go-oidc verify.go, oidc.go verifyAudience)', () => {
  const two = { audiences: ['two', 'one'] };
  const expired = 'oidc: token is expired (Token Expiry: ';
  const early = 'oidc: current time 2024-03-01 12:00:00 +0000 UTC before the nbf (not before) time: ';
  test.for<[fact: string, claims: JsonObject, issuer: Partial<JwtIssuer>, fault: string | undefined]>([
    ['it is for one of several', { aud: ['other', 'one'] }, {}, undefined],
    ['it is for the second that is taken', {}, two, undefined],
    ['it is for another audience', { aud: 'two' }, {}, 'oidc: expected audience "one" got ["two"]'],
    [
      'it is for two others',
      { aud: ['three', 'four'] },
      two,
      'oidc: expected audience in ["one" "two"] got ["three" "four"]',
    ],
    ['it is for no audience', { aud: 7 }, {}, 'oidc: expected audience "one" got []'],
    [
      'another issuer',
      { iss: 'https://other.example.com' },
      {},
      'oidc: id token issued by a different provider, expected "https://idp.example.com" got "https://other.example.com"',
    ],
    ['Google has two names', { iss: 'accounts.google.com' }, { url: 'https://accounts.google.com' }, undefined],
    [
      'no other key has',
      { iss: 'accounts.google.com' },
      {},
      'oidc: id token issued by a different provider, expected "https://idp.example.com" got "accounts.google.com"',
    ],
    ['it ends now', { exp: now }, {}, undefined],
    ['it ended a second ago', { exp: now - 1 }, {}, `${expired}2024-03-01 11:59:59 +0000 UTC)`],
    ['parts of a second do not count', { exp: now - 0.5 }, {}, `${expired}2024-03-01 11:59:59 +0000 UTC)`],
    ['it says no end', { exp: null }, {}, `${expired}1970-01-01 00:00:00 +0000 UTC)`],
    ['it begins in a minute', { nbf: now + 60 }, {}, undefined],
    ['it begins in more than a minute', { nbf: now + 61 }, {}, `${early}2024-03-01 12:01:01 +0000 UTC`],
    ['it has begun', { nbf: now - 61 }, {}, undefined],
    [
      'a claim that must be a text is none',
      { sub: [1] },
      {},
      'oidc: failed to unmarshal claims: json: cannot unmarshal array into Go struct field idToken.sub of type string',
    ],
    [
      'two claims that must be strings are not: the first is reported',
      { nonce: true, iss: 7 },
      {},
      'oidc: failed to unmarshal claims: json: cannot unmarshal number into Go struct field idToken.iss of type string',
    ],
    ['a claim that is null is not there', { sub: null }, {}, undefined],
  ])('%s', ([, claims, change, fault]) => {
    expect(tokenFault(jwt({ ...good, ...claims }), { ...issuer, ...change }, now * 1000)).toBe(fault);
  });
});

test.for<[issuer: string | number, said: string]>([
  ['accounts.google.com', 'https://accounts.google.com'],
  ['https://idp.example.com', 'https://idp.example.com'],
  [7, ''],
])('a token of %s claims to be of %s', ([iss, said]) => {
  expect(untrustedIssuer(jwt({ iss }))).toBe(said);
});

test('a signature is made by an algorithm that the issuer supports', () => {
  expect(algorithmFault(jwt(good, 'ES256'), ['RS256', 'ES256'])).toBeUndefined();
  expect(algorithmFault(jwt(good, 'HS256'), ['RS256', 'ES256'])).toBe(
    'oidc: id token signed with unsupported algorithm, expected ["RS256" "ES256"] got "HS256"',
  );
});

/** Source: OpenID Connect Core 5.6.2; oidc.go expand. */
describe('a claim that is elsewhere', () => {
  const names = { groups: 'there' };
  const there = { endpoint: 'https://claims.example.com/groups', access_token: 'secret' };
  const sources = { there };
  test.for<[fact: string, claims: JsonObject, source: ReturnType<typeof claimSource>]>([
    [
      'has an address and a token',
      { _claim_names: names, _claim_sources: sources },
      { endpoint: there.endpoint, accessToken: 'secret' },
    ],
    [
      'may have no token',
      { _claim_names: names, _claim_sources: { there: { endpoint: there.endpoint, access_token: 7 } } },
      { endpoint: there.endpoint, accessToken: '' },
    ],
    ['is not looked for when it is here', { groups: [], _claim_names: names, _claim_sources: sources }, undefined],
    ['has no name', { _claim_names: { email: 'there' }, _claim_sources: sources }, undefined],
    ['has no source', { _claim_names: names, _claim_sources: { other: there } }, undefined],
    ['has no address', { _claim_names: names, _claim_sources: { there: { endpoint: '' } } }, undefined],
    ['has an address that is none', { _claim_names: names, _claim_sources: { there: { endpoint: 7 } } }, undefined],
    ['names only', { _claim_names: names }, undefined],
    ['sources only', { _claim_sources: sources }, undefined],
  ])('%s', ([, claims, source]) => {
    expect(claimSource('groups', claims)).toEqual(source);
  });
});
