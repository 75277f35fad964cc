import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../src/machinery/json/json.ts';
import {
  type JwtAuthenticator,
  type EvaluateClaims,
  mapClaims,
} from '../../../../src/apiserver/auth/jwt/jwt-authenticator.ts';

const nothing = { claim: '', expression: '' };
const plain: JwtAuthenticator = {
  issuer: {
    url: 'https://idp.example.com',
    discoveryURL: '',
    certificateAuthority: '',
    audiences: ['one'],
    audienceMatchPolicy: '',
    egressSelectorType: '',
  },
  claimMappings: {
    username: { claim: 'sub', prefix: '', expression: '' },
    groups: { ...nothing, prefix: null },
    uid: nothing,
    extra: [],
  },
  claimValidationRules: [],
  userValidationRules: [],
};

const mapped = (mappings: Partial<JwtAuthenticator['claimMappings']>): JwtAuthenticator => ({
  ...plain,
  claimMappings: { ...plain.claimMappings, ...mappings },
});

/** `claims.NAME`, or `user.NAME`, is all that can be written here; `boom` fails. */
const evaluate: EvaluateClaims = (expression, variable, value) => {
  if (expression === 'boom') return { ok: false, error: 'no such key: boom' };
  const name = expression.slice(variable.length + 1);
  return expression.startsWith(`${variable}.`) && Object.hasOwn(value, name)
    ? { ok: true, value: value[name] ?? null }
    : { ok: false, error: `no such key: ${name}` };
};

const outcomeOf = (claims: JsonObject, authenticator: JwtAuthenticator): JsonValue => {
  const outcome = mapClaims(claims, authenticator, evaluate);
  return outcome.ok ? { ...outcome.value } : outcome.error;
};

/** Source: apiserver plugin/pkg/authenticator/token/oidc/oidc.go, getUsername. */
describe('the name of a user', () => {
  const byEmail = mapped({ username: { claim: 'email', prefix: 'idp:', expression: '' } });
  const byExpression = mapped({ username: { claim: '', prefix: null, expression: 'claims.name' } });
  const what = 'oidc: error evaluating username claim expression: ';
  test.for<[fact: string, claims: JsonObject, authenticator: JwtAuthenticator, outcome: JsonValue]>([
    ['is that of a claim', { sub: 'jane' }, plain, { username: 'jane', groups: [], uid: '', extra: {} }],
    ['has a prefix', { email: 'j@x' }, byEmail, { username: 'idp:j@x', groups: [], uid: '', extra: {} }],
    [
      'an address that is verified',
      { email: 'j@x', email_verified: true },
      byEmail,
      { username: 'idp:j@x', groups: [], uid: '', extra: {} },
    ],
    ['an address that is not verified', { email: 'j@x', email_verified: false }, byEmail, 'oidc: email not verified'],
    ['verified: null', { email: 'j@x', email_verified: null }, byEmail, 'oidc: email not verified'],
    [
      'verified: a text',
      { email: 'j@x', email_verified: 'true' },
      byEmail,
      "oidc: parse 'email_verified' claim: json: cannot unmarshal string into Go value of type bool",
    ],
    [
      'only an address has to be verified',
      { sub: 'jane', email_verified: false },
      plain,
      { username: 'jane', groups: [], uid: '', extra: {} },
    ],
    ['a claim that is not there', {}, plain, 'oidc: parse username claims "sub": claim not present'],
    [
      'a claim that is a list',
      { sub: ['jane'] },
      plain,
      'oidc: parse username claims "sub": json: cannot unmarshal array into Go value of type string',
    ],
    ['a claim that is null', { sub: null }, plain, { username: '', groups: [], uid: '', extra: {} }],
    ['an expression', { name: 'jane' }, byExpression, { username: 'jane', groups: [], uid: '', extra: {} }],
    [
      'an expression that gives nothing',
      { name: '' },
      byExpression,
      'oidc: empty username via CEL expression is not allowed',
    ],
    [
      'an expression that gives a number',
      { name: 7 },
      byExpression,
      `${what}username claim expression must return a string`,
    ],
    [
      'an expression that fails',
      {},
      byExpression,
      `${what}expression 'claims.name' resulted in error: no such key: name`,
    ],
  ])('%s', ([, claims, authenticator, outcome]) => {
    expect(outcomeOf(claims, authenticator)).toEqual(outcome);
  });
});

/** Source: oidc.go getGroups, getUID, getExtra; convertCELValueToStringList. */
describe('groups, uid and extra', () => {
  const groups = mapped({ groups: { claim: 'groups', prefix: 'g:', expression: '' } });
  const computed = mapped({ groups: { claim: '', prefix: null, expression: 'claims.teams' } });
  const uid = mapped({ uid: { claim: 'id', expression: '' } });
  const uidComputed = mapped({ uid: { claim: '', expression: 'claims.id' } });
  const extra = mapped({
    extra: [
      { key: 'z.example.com/a', valueExpression: 'claims.one' },
      { key: 'a.example.com/b', valueExpression: 'claims.two' },
    ],
  });
  const wrong = 'expression must return a string or a list of strings';
  test.for<[fact: string, claims: JsonObject, authenticator: JwtAuthenticator, outcome: string | JsonObject]>([
    ['a list', { groups: ['a', 'b'] }, groups, { groups: ['g:a', 'g:b'] }],
    ['one text is a list of one', { groups: 'a' }, groups, { groups: ['g:a'] }],
    ['no claim, no groups', {}, groups, { groups: [] }],
    ['null', { groups: null }, groups, { groups: [] }],
    ['null in a list is an empty name', { groups: ['a', null] }, groups, { groups: ['g:a', 'g:'] }],
    [
      'a list with a number',
      { groups: ['a', 7] },
      groups,
      'oidc: parse groups claim "groups": json: cannot unmarshal array into Go value of type string',
    ],
    [
      'an object',
      { groups: {} },
      groups,
      'oidc: parse groups claim "groups": json: cannot unmarshal object into Go value of type string',
    ],
    ['empty names of an expression are left out', { teams: ['a', '', 'b'] }, computed, { groups: ['a', 'b'] }],
    ['an expression that gives null', { teams: null }, computed, { groups: [] }],
    [
      'an expression with a number',
      { teams: ['a', 7] },
      computed,
      `oidc: error evaluating group claim expression: ${wrong}`,
    ],
    [
      'an expression with an object',
      { teams: {} },
      computed,
      `oidc: error evaluating group claim expression: ${wrong}`,
    ],
    ['a uid', { id: '7' }, uid, { uid: '7' }],
    ['a uid that is not there', {}, uid, 'oidc: parse uid claim "id": claim not present'],
    ['an expression for a uid', { id: '7' }, uidComputed, { uid: '7' }],
    [
      'an expression for a uid that gives a number',
      { id: 7 },
      uidComputed,
      'oidc: error evaluating uid claim expression: uid claim expression must return a string',
    ],
    [
      'extra is sorted, and a text is a list of one',
      { one: 'x', two: ['y', 'z'] },
      extra,
      { extra: { 'a.example.com/b': ['y', 'z'], 'z.example.com/a': ['x'] } },
    ],
    ['extra that is empty is not there', { one: '', two: [] }, extra, { extra: {} }],
    [
      'extra that is a number',
      { one: 7, two: 'y' },
      extra,
      `oidc: error evaluating extra claim expression: claims.one: ${wrong}`,
    ],
    ['extra that fails', { one: 'x' }, extra, "expression 'claims.two' resulted in error: no such key: two"],
    [
      'the name of the token',
      { jti: 'abc' },
      plain,
      { extra: { 'authentication.kubernetes.io/credential-id': ['JTI=abc'] } },
    ],
    ['a token with an empty name', { jti: '' }, plain, { extra: {} }],
    ['a token whose name is a number', { jti: 7 }, plain, { extra: {} }],
  ])('%s', ([, claims, authenticator, outcome]) => {
    const user = { username: 'jane', groups: [], uid: '', extra: {} };
    // As text, since the order of extra is a fact too.
    const said = typeof outcome === 'string' ? outcome : { ...user, ...outcome };
    expect(JSON.stringify(outcomeOf({ sub: 'jane', ...claims }, authenticator))).toBe(JSON.stringify(said));
  });
});

/** Source: oidc.go AuthenticateToken: required claims first, then rules over the claims, then rules over the user. */
describe('rules', () => {
  const rule = { claim: '', requiredValue: '', expression: '', message: '' };
  const required = {
    ...plain,
    claimValidationRules: [
      { ...rule, claim: 'hd', requiredValue: 'example.com' },
      { ...rule, claim: 'tier', requiredValue: 'gold' },
    ],
  };
  const claimed = { ...plain, claimValidationRules: [{ ...rule, expression: 'claims.fine', message: 'not fine' }] };
  const both = {
    ...plain,
    claimValidationRules: [
      { ...rule, expression: 'claims.fine', message: 'not fine' },
      { ...rule, claim: 'hd', requiredValue: 'example.com' },
    ],
  };
  const onUser = (expression: string): JwtAuthenticator => ({
    ...plain,
    userValidationRules: [{ expression, message: 'not him' }],
  });
  const userRule = 'oidc: error evaluating user info validation rule: ';
  const claimRule = 'oidc: error evaluating claim validation expression: ';
  test.for<[fact: string, claims: JsonObject, authenticator: JwtAuthenticator, error: string | undefined]>([
    ['two required claims', { hd: 'example.com', tier: 'gold' }, required, undefined],
    [
      'the second is another',
      { hd: 'example.com', tier: 'tin' },
      required,
      'oidc: required claim tier value does not match. Got = tin, want = gold',
    ],
    ['the second is not there', { hd: 'example.com' }, required, 'oidc: required claim tier not present in ID token'],
    [
      'the first is no text',
      { hd: 1, tier: 'gold' },
      required,
      'oidc: parse claim hd: json: cannot unmarshal number into Go value of type string',
    ],
    ['a rule that is true', { fine: true }, claimed, undefined],
    [
      'a rule that is false',
      { fine: false },
      claimed,
      `${claimRule}validation expression 'claims.fine' failed: not fine`,
    ],
    ['a rule that is no boolean', { fine: 1 }, claimed, `${claimRule}validation expression must return a boolean`],
    ['a rule that fails', {}, claimed, `${claimRule}expression 'claims.fine' resulted in error: no such key: fine`],
    ['required claims come first', { fine: false }, both, 'oidc: required claim hd not present in ID token'],
    [
      'a rule over the user that is no boolean',
      {},
      onUser('user.username'),
      `${userRule}validation expression must return a boolean`,
    ],
    [
      'a rule over the user that fails',
      {},
      onUser('boom'),
      `${userRule}expression 'boom' resulted in error: no such key: boom`,
    ],
  ])('%s', ([, claims, authenticator, error]) => {
    const outcome = outcomeOf({ sub: 'jane', ...claims }, authenticator);
    expect(typeof outcome === 'string' ? outcome : undefined).toBe(error);
  });
});
