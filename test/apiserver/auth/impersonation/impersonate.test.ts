import { expect, test } from 'vitest';
import type { AuthorizationQuestion, Authorize } from '../../../../src/apiserver/auth/authorizer.ts';
import { createImpersonate } from '../../../../src/apiserver/auth/impersonation/impersonate.ts';
import type { RequestHeaders } from '../../../../src/apiserver/auth/impersonation/impersonated-user.ts';
import type { UserInfo } from '../../../../src/apiserver/auth/user.ts';
import { user } from '../cluster.ts';

const listPods = (requester: UserInfo): AuthorizationQuestion => ({
  type: 'resource',
  user: requester,
  verb: 'list',
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: 'ns',
  name: '',
});
const impersonate = (requester: UserInfo, headers: RequestHeaders, authorize: Authorize) =>
  createImpersonate(authorize)(listPods(requester), headers);

const everything: Authorize = () => ({ allowed: true, reason: '' });
const root = user('root');

// Source: apiserver pkg/endpoints/filters/impersonation/impersonation_test.go; facts/auth-reviews.
const users: readonly [fact: string, headers: RequestHeaders, user: object][] = [
  ['no user is named', { accept: 'x' }, root],
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
  expect(impersonate(root, headers, everything)).toMatchObject({ ok: true, value: { user: expected } });
});

test('a key cannot reach a prototype', () => {
  const result = impersonate(root, { 'impersonate-user': 'bob', 'impersonate-extra-__proto__': 'x' }, everything);
  expect(result.ok && Object.entries(result.value.user.extra)).toEqual([['__proto__', ['x']]]);
});

/** What was asked, a line each, of an authorizer that allows what `may` says. */
function asking(headers: readonly RequestHeaders[], may: (line: string) => boolean, requester = root) {
  const asked: string[] = [];
  const impersonateAll = createImpersonate((question) => {
    const what =
      question.type === 'path'
        ? question.path
        : [question.group, question.resource, question.subresource, question.namespace, question.name].join(' ');
    asked.push(`${question.verb} ${what}`);
    return { allowed: may(`${question.verb} ${what}`), reason: '' };
  });
  const answers: ReturnType<typeof impersonateAll>[] = [];
  for (const one of headers) answers.push(impersonateAll(listPods(requester), one));
  return { asked, answers };
}

const bob = { 'impersonate-user': 'bob' };
const account = { 'impersonate-user': 'system:serviceaccount:ns:sa' };
const node = { 'impersonate-user': 'system:node:n1' };
const legacyOnly = (line: string): boolean => line.startsWith('impersonate ');

// Source: apiserver pkg/endpoints/filters/impersonation/mode.go.
test('the request as the impersonated user is authorized first, then name, uid, groups and extra', () => {
  const extra = { 'impersonate-extra-acme.com%2fk': 'v' };
  const { asked } = asking([{ ...extra, 'impersonate-uid': 'u', 'impersonate-group': 'g', ...bob }], () => true);
  expect(asked).toEqual([
    'impersonate-on:user-info:list  pods  ns ',
    'impersonate:user-info authentication.k8s.io users   bob',
    'impersonate:user-info authentication.k8s.io uids   u',
    'impersonate:user-info authentication.k8s.io groups   g',
    'impersonate:user-info authentication.k8s.io userextras acme.com/k  v',
  ]);
});

test('the verb impersonate is enough, of the old groups', () => {
  const { asked, answers } = asking([{ ...bob, 'impersonate-group': 'g' }, account], legacyOnly);
  expect(asked.filter(legacyOnly)).toEqual([
    'impersonate  users   bob',
    'impersonate  groups   g',
    'impersonate  serviceaccounts  ns sa',
  ]);
  expect(answers.map((answer) => answer.ok && answer.value.constraint)).toEqual([undefined, undefined]);
});

test('the way that went last is tried first', () => {
  const { asked } = asking([bob, bob], legacyOnly);
  expect(asked).toEqual([
    'impersonate-on:user-info:list  pods  ns ',
    'impersonate  users   bob',
    'impersonate  users   bob',
  ]);
});

test('many groups may be allowed at once', () => {
  const groups = { ...bob, 'impersonate-group': ['a', 'b', 'c', 'd'] };
  const { asked } = asking([groups], () => true);
  expect(asked.at(-1)).toBe('impersonate:user-info authentication.k8s.io groups   *');
  const { asked: withoutStar } = asking([groups], (line) => !line.endsWith('*'));
  expect(withoutStar.slice(-5).map((line) => line.at(-1))).toEqual(['*', 'a', 'b', 'c', 'd']);
});

const onNode = (name: string): UserInfo => ({
  ...user('system:serviceaccount:ns:agent'),
  extra: { 'authentication.kubernetes.io/node-name': [name] },
});

const allowed: readonly [fact: string, RequestHeaders, UserInfo, string | undefined, readonly string[]][] = [
  ['a user', bob, root, 'impersonate:user-info', ['system:authenticated']],
  [
    'a ServiceAccount',
    account,
    root,
    'impersonate:serviceaccount',
    ['system:serviceaccounts', 'system:serviceaccounts:ns', 'system:authenticated'],
  ],
  ['a node', node, root, 'impersonate:arbitrary-node', ['system:nodes', 'system:authenticated']],
  ['its own node', node, onNode('n1'), 'impersonate:associated-node', ['system:nodes', 'system:authenticated']],
  [
    'a node that is not its own',
    node,
    onNode('n2'),
    'impersonate:arbitrary-node',
    ['system:nodes', 'system:authenticated'],
  ],
  ['a node with groups', { ...node, 'impersonate-group': 'g' }, root, undefined, ['g', 'system:authenticated']],
  [
    'a ServiceAccount with groups',
    { ...account, 'impersonate-group': 'g' },
    root,
    undefined,
    ['g', 'system:authenticated'],
  ],
  [
    'system:masters',
    { ...bob, 'impersonate-group': 'system:masters' },
    root,
    undefined,
    ['system:masters', 'system:authenticated'],
  ],
  ['an extra key without a domain', { ...bob, 'impersonate-extra-k': 'v' }, root, undefined, ['system:authenticated']],
];

test.each(allowed)('%s is what is allowed', (...[_fact, headers, requester, constraint, groups]) => {
  const { answers } = asking([headers], () => true, requester);
  expect(answers[0]).toMatchObject({ ok: true, value: { user: { groups } } });
  expect(answers[0]?.ok && answers[0].value.constraint).toBe(constraint);
});

test('what the own node of a Pod may is asked of all nodes', () => {
  const { asked } = asking([node], () => true, onNode('n1'));
  expect(asked).toEqual([
    'impersonate-on:associated-node:list  pods  ns ',
    'impersonate:associated-node authentication.k8s.io nodes   *',
  ]);
});

const nothing = (): boolean => false;
const onlyOn = (line: string): boolean => line.startsWith('impersonate-on:') || line.includes(' users ');

// Source: apiserver pkg/endpoints/filters/impersonation/constrained_impersonation.go, mode.go.
const refusals: readonly [fact: string, RequestHeaders, (line: string) => boolean, number, string][] = [
  [
    'a user',
    bob,
    nothing,
    403,
    'pods is forbidden: User "root" cannot impersonate-on:user-info:list resource "pods" in API group "" in the namespace "ns"',
  ],
  [
    'a ServiceAccount',
    account,
    nothing,
    403,
    'pods is forbidden: User "root" cannot impersonate-on:serviceaccount:list resource "pods" in API group "" in the namespace "ns"',
  ],
  [
    'system:masters',
    { ...bob, 'impersonate-group': 'system:masters' },
    onlyOn,
    403,
    'groups.authentication.k8s.io "system:masters" is forbidden: User "root" cannot impersonate:user-info resource "groups" in API group "authentication.k8s.io" at the cluster scope: impersonating the system:masters group is not allowed',
  ],
  [
    'an extra key without a domain',
    { ...bob, 'impersonate-extra-k': 'v' },
    onlyOn,
    403,
    'userextras.authentication.k8s.io is forbidden: User "root" cannot impersonate:user-info resource "userextras" in API group "authentication.k8s.io" at the cluster scope: impersonating an invalid key in extra is not allowed: extra.key: Invalid value: "k": must be a domain-prefixed path (such as "acme.io/foo")',
  ],
  [
    'groups without a user',
    { 'impersonate-group': 'devs' },
    nothing,
    400,
    'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"devs"}, Extra:map[string][]string(nil)} without impersonating a user name',
  ],
  [
    'a uid and extra without a user',
    { 'impersonate-uid': 'u', 'impersonate-extra-b': ['1', '2'], 'impersonate-extra-a': '3' },
    nothing,
    400,
    'requested &user.DefaultInfo{Name:"", UID:"u", Groups:[]string(nil), Extra:map[string][]string{"a":[]string{"3"}, "b":[]string{"1", "2"}}} without impersonating a user name',
  ],
];

test.each(refusals)('%s is refused', (...[_fact, headers, may, code, message]) => {
  const { answers } = asking([headers], may);
  expect(answers).toMatchObject([{ ok: false, status: { code, message } }]);
});

test('the way that went last is no reason to leave out the others', () => {
  const noNode = (line: string): boolean => legacyOnly(line) && !line.includes('n1');
  const { asked, answers } = asking([bob, node], noNode);
  expect(answers.map(({ ok }) => ok)).toEqual([true, false]);
  expect(asked.slice(2).map((line) => line.split(' ')[0])).toEqual([
    'impersonate',
    'impersonate-on:arbitrary-node:list',
  ]);
});
