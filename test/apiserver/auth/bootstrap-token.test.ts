import { expect, test } from 'vitest';
import { bootstrapSource } from '../../../src/apiserver/auth/bootstrap-token.ts';
import { clusterOf } from './cluster.ts';

const api = 'https://kubernetes.default.svc';
const now = Date.UTC(2026, 0, 1);
const encoded = (texts: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]));

const good = {
  'token-id': 'abcdef',
  'token-secret': '0123456789abcdef',
  'usage-bootstrap-authentication': 'true',
};

const ask = (
  said: Readonly<Record<string, string>>,
  token = 'abcdef.0123456789abcdef',
  audiences = [api],
  more = {},
) => {
  const secret = {
    kind: 'Secret',
    apiVersion: 'v1',
    metadata: { namespace: 'kube-system', name: 'bootstrap-token-abcdef' },
    type: 'bootstrap.kubernetes.io/token',
    data: encoded({ ...good, ...said }),
    ...more,
  };
  return bootstrapSource({ cluster: clusterOf([secret]), apiAudiences: [api], now: () => now })(token, audiences);
};

// Source: kubernetes plugin/pkg/auth/authenticator/token/bootstrap/bootstrap_test.go.
test.each([
  ['with its usual group', {}, ['system:bootstrappers']],
  [
    'with more groups',
    { 'auth-extra-groups': 'system:bootstrappers:foo,system:bootstrappers:bar' },
    ['system:bootstrappers', 'system:bootstrappers:bar', 'system:bootstrappers:foo'],
  ],
  ['before its end', { expiration: '2026-01-01T00:00:01Z' }, ['system:bootstrappers']],
])('lets in: a token %s', async (_fact, said, groups) => {
  expect(await ask(said)).toEqual({
    outcome: 'verified',
    user: { username: 'system:bootstrap:abcdef', uid: '', groups, extra: {} },
    audiences: [api],
  });
});

test.each([
  ['another secret', { 'token-secret': '0123456789abcdee' }],
  ['another id', { 'token-id': 'abcdee' }],
  ['another use', { 'usage-bootstrap-authentication': 'false' }],
  ['an end that has come', { expiration: '2025-12-31T23:59:59Z' }],
  ['an end that comes now', { expiration: '2026-01-01T00:00:00Z' }],
  ['an expiration that cannot be parsed', { expiration: 'tomorrow' }],
  ['a group of its own making', { 'auth-extra-groups': 'system:masters' }],
])('no user: a token with %s', async (_fact, said) => {
  expect(await ask(said)).toBeUndefined();
});

test.each([['abcdef'], ['abcdef.0123456789abcde'], ['ABCDEF.0123456789abcdef'], ['bcdefg.0123456789abcdef']])(
  'no user: %s',
  async (token) => {
    expect(await ask({}, token)).toBeUndefined();
  },
);

test('no user: a Secret that is being deleted, of another type, or for others', async () => {
  const token = 'abcdef.0123456789abcdef';
  expect(await ask({}, token, [api], { type: 'Opaque' })).toBeUndefined();
  expect(await ask({}, token, ['https://other'])).toBeUndefined();
});
