import { expect, test } from 'vitest';
import {
  type Kubeconfig,
  type KubeconfigUser,
  noKubeconfig,
} from '../../../src/apiserver/admission/configuration/kubeconfig.ts';
import { readCredentials, userFor } from '../../../src/adapters/webhook-client/credentials.ts';

const anonymous: KubeconfigUser = {
  token: '',
  tokenFile: '',
  username: '',
  password: '',
  certificate: undefined,
  key: undefined,
  unusable: '',
};

const withUsers = (names: readonly string[], current?: string): Kubeconfig => ({
  ...noKubeconfig,
  users: new Map(names.map((token) => [token, { ...anonymous, token }])),
  currentUser: current === undefined ? undefined : { ...anonymous, token: current },
});

// Source: apiserver pkg/util/webhook/authentication_test.go, and the profiles p-webhook-kubeconfig*.
const choices: readonly [host: string, port: number, users: readonly string[], chosen: string | undefined][] = [
  ['hook.hooks.svc', 443, ['*', '*.svc:443', '*.hooks.svc:443', 'hook.hooks.svc:443'], 'hook.hooks.svc:443'],
  ['hook.hooks.svc', 443, ['*', 'hook.hooks.svc', '*.svc:443', '*.hooks.svc:443'], '*.hooks.svc:443'],
  ['hook.hooks.svc', 443, ['*', '*.svc', '*.hooks.svc'], '*.hooks.svc'],
  ['hook.hooks.svc', 443, ['*', 'hook.hooks.svc', '*.hooks.svc'], 'hook.hooks.svc'],
  ['hook.hooks.svc', 8443, ['*', 'hook.hooks.svc', '*.hooks.svc'], '*'],
  ['127.0.0.1', 18443, ['127.0.0.1'], 'current'],
  ['127.0.0.1', 18443, ['127.0.0.1:18443', '*'], '127.0.0.1:18443'],
];

test.each(choices)('%s:%i is called as one of %j', (host, port, users, chosen) => {
  expect(userFor(withUsers(users, 'current'), host, port)?.token).toBe(chosen);
});

test('without a matching user, the call is anonymous', () => {
  expect(userFor(withUsers(['a']), 'hook.hooks.svc', 443)).toBeUndefined();
  expect(readCredentials(undefined)).toEqual({ outcome: 'read', credentials: { headers: {} } });
});

const garbage = { base64: Buffer.from('no certificate').toString('base64') };

// Source: client-go transport/round_trippers.go, transport/transport.go and Go's crypto/tls.
const refusals: readonly [user: Partial<KubeconfigUser>, error: string][] = [
  [{ token: 't', username: 'u' }, 'username/password or bearer token may be set, but not both'],
  [{ tokenFile: '/nonexistent/token' }, 'open /nonexistent/token: no such file or directory'],
  [{ certificate: garbage, key: garbage }, 'tls: failed to find any PEM data in certificate input'],
  [{ unusable: 'auth provider not supported' }, 'auth provider not supported'],
];

test.each(refusals)('%j cannot be shown', (user, error) => {
  expect(readCredentials({ ...anonymous, ...user })).toEqual({ outcome: 'unreadable', error });
});

test('a token that can be read from no file is the one in place', () => {
  const user = { ...anonymous, token: 't', tokenFile: '/nonexistent/token' };
  expect(readCredentials(user)).toMatchObject({ credentials: { headers: { authorization: 'Bearer t' } } });
});
