import { expect, test } from 'vitest';
import type { Authorize } from '../../src/auth/authorizer.ts';
import { impersonate } from '../../src/auth/impersonate.ts';
import type { RequestHeaders } from '../../src/auth/impersonate.ts';
import { user } from './cluster.ts';

const everything: Authorize = () => ({ allowed: true, reason: '' });
const root = user('root');

// Source: apiserver pkg/endpoints/filters/impersonation/impersonation_test.go; facts/auth-reviews.
const users: readonly [fact: string, headers: RequestHeaders, user: object][] = [
  ['nobody is named', { accept: 'x' }, root],
  ['a user is authenticated', { 'impersonate-user': 'bob' }, { username: 'bob', groups: ['system:authenticated'] }],
  [
    'groups are kept and the implied one added',
    { 'impersonate-user': 'bob', 'impersonate-group': ['devs', 'ops'] },
    { groups: ['devs', 'ops', 'system:authenticated'] },
  ],
  [
    'the headers may come in any order',
    { 'impersonate-group': 'devs', 'impersonate-uid': 'u1', 'impersonate-user': 'bob' },
    { username: 'bob', uid: 'u1', groups: ['devs', 'system:authenticated'] },
  ],
  [
    'nothing is added to system:unauthenticated',
    { 'impersonate-user': 'bob', 'impersonate-group': 'system:unauthenticated' },
    { groups: ['system:unauthenticated'] },
  ],
  [
    'system:authenticated is not repeated',
    { 'impersonate-user': 'bob', 'impersonate-group': ['system:authenticated', 'devs'] },
    { groups: ['system:authenticated', 'devs'] },
  ],
  ['anonymous stays so', { 'impersonate-user': 'system:anonymous' }, { groups: ['system:unauthenticated'] }],
  [
    'a ServiceAccount brings its groups',
    { 'impersonate-user': 'system:serviceaccount:ns:sa' },
    { groups: ['system:serviceaccounts', 'system:serviceaccounts:ns', 'system:authenticated'] },
  ],
  [
    'a ServiceAccount with groups has only those',
    { 'impersonate-user': 'system:serviceaccount:ns:sa', 'impersonate-group': 'devs' },
    { groups: ['devs', 'system:authenticated'] },
  ],
  [
    'uid and extra come along, keys decoded',
    { 'impersonate-user': 'bob', 'impersonate-uid': 'u1', 'impersonate-extra-acme.com%2fa': ['1', '2'] },
    { uid: 'u1', extra: { 'acme.com/a': ['1', '2'] } },
  ],
];

test.each(users)('%s', (_fact, headers, expected) => {
  expect(impersonate(root, headers, everything)).toMatchObject({ ok: true, value: expected });
});

test('a key cannot reach a prototype', () => {
  const result = impersonate(root, { 'impersonate-user': 'bob', 'impersonate-extra-__proto__': 'x' }, everything);
  expect(result.ok && Object.entries(result.value.extra)).toEqual([['__proto__', ['x']]]);
});

test('parts are checked in the order user, groups, extra, uid', () => {
  const asked: string[] = [];
  const authorize: Authorize = (question) => {
    const { type } = question;
    if (type === 'resource') {
      const { verb, group, resource, subresource, namespace, name } = question;
      asked.push([verb, group, resource, subresource, namespace, name].join(' '));
    }
    return { allowed: true, reason: '' };
  };
  const extra = { 'impersonate-extra-k': 'v' };
  impersonate(
    root,
    { ...extra, 'impersonate-uid': 'u', 'impersonate-group': 'g', 'impersonate-user': 'bob' },
    authorize,
  );
  impersonate(root, { 'impersonate-user': 'system:serviceaccount:ns:sa' }, authorize);
  expect(asked).toEqual([
    'impersonate  users   bob',
    'impersonate  groups   g',
    'impersonate authentication.k8s.io userextras k  v',
    'impersonate authentication.k8s.io uids   u',
    'impersonate  serviceaccounts  ns sa',
  ]);
});

const nothing: Authorize = () => ({ allowed: false, reason: '' });

// Source: apiserver pkg/endpoints/filters/impersonation/impersonation.go.
const refusals: readonly [fact: string, headers: RequestHeaders, code: number, message: string][] = [
  [
    'a user',
    { 'impersonate-user': 'bob' },
    403,
    'users "bob" is forbidden: User "root" cannot impersonate resource "users" in API group "" at the cluster scope',
  ],
  [
    'a ServiceAccount',
    { 'impersonate-user': 'system:serviceaccount:ns:sa' },
    403,
    'serviceaccounts "sa" is forbidden: User "root" cannot impersonate resource "serviceaccounts" in API group "" in the namespace "ns"',
  ],
  [
    'groups without a user',
    { 'impersonate-group': 'devs' },
    400,
    'requested [{Group  devs    }] without impersonating a user',
  ],
  [
    'a uid without a user',
    { 'impersonate-uid': 'u' },
    400,
    'requested [{UID  u  authentication.k8s.io/v1  }] without impersonating a user',
  ],
];

test.each(refusals)('%s is refused', (_fact, headers, code, message) => {
  expect(impersonate(root, headers, nothing)).toMatchObject({ ok: false, status: { code, message } });
});
