import { expect, test } from 'vitest';
import {
  impersonationModes,
  readImpersonatedUser,
} from '../../../../src/apiserver/auth/impersonation/impersonated-user.ts';
import { parseServiceAccountUsername, type UserInfo } from '../../../../src/apiserver/auth/user.ts';

const who = (username: string, fields: Partial<UserInfo> = {}): UserInfo => ({
  username,
  uid: '',
  groups: [],
  extra: {},
  ...fields,
});
const onNode = (...nodes: readonly string[]) => ({ extra: { 'authentication.kubernetes.io/node-name': nodes } });
const robot = 'system:serviceaccount:ns:robot';
const node = 'system:node:n';

// Source: apiserver pkg/endpoints/filters/impersonation/mode.go.
test.each<[fact: string, wanted: UserInfo, requester: UserInfo, modes: string]>([
  ['a Pod its own node', who(node), who(robot, onNode('n')), 'associated-node arbitrary-node legacy'],
  ['a Pod another node', who(node), who(robot, onNode('m')), 'arbitrary-node legacy'],
  ['a Pod that names two nodes', who(node), who(robot, onNode('n', 'm')), 'arbitrary-node legacy'],
  ['a Pod that names none', who(node), who(robot), 'arbitrary-node legacy'],
  ['a user with the name of a node', who(node), who('bob', onNode('n')), 'arbitrary-node legacy'],
  ['its own node with a uid', who(node, { uid: 'u' }), who(robot, onNode('n')), 'legacy'],
  ['its own node with groups', who(node, { groups: ['g'] }), who(robot, onNode('n')), 'legacy'],
  ['its own node with more', who(node, { extra: { k: [] } }), who(robot, onNode('n')), 'legacy'],
  ['a ServiceAccount', who(robot), who('bob'), 'serviceaccount legacy'],
  ['a ServiceAccount with groups', who(robot, { groups: ['g'] }), who('bob'), 'legacy'],
  ['a user', who('jane', { groups: ['g'], uid: 'u' }), who('bob'), 'user-info legacy'],
])('who wants to be %s', (_fact, wanted, requester, modes) => {
  const supporting = impersonationModes.filter((mode) => mode.supports(wanted, requester));
  expect(supporting.map(({ name }) => name).join(' ')).toBe(modes);
});

// Source: apiserver pkg/endpoints/filters/impersonation/constrained_impersonation.go.
test.each<[headers: object, code: number | undefined]>([
  [{ 'impersonate-user': '' }, undefined],
  [{ 'impersonate-uid': 'u' }, 400],
  [{ 'impersonate-group': 'g' }, 400],
  [{ 'impersonate-extra-k': 'v' }, 400],
  [{ 'impersonate-user': '', 'impersonate-extra-k': 'v' }, 400],
  [{ 'x-impersonate-user': 'bob' }, undefined],
])('the headers %j name no user: %s', (headers, code) => {
  const wanted = readImpersonatedUser({ ...headers });
  expect(wanted).toMatchObject(code === undefined ? { ok: true, value: undefined } : { ok: false, status: { code } });
});

// Source: apiserver pkg/authentication/serviceaccount/util_test.go TestMakeSplitUsername; names as apimachinery validates them.
test.each<[username: string, isOne: boolean]>([
  [robot, true],
  [`system:serviceaccount:ns:${'a'.repeat(253)}`, true],
  [`system:serviceaccount:ns:${'a'.repeat(254)}`, false],
  ['system:serviceaccount:ns:a.b', true],
  ['system:serviceaccount:ns:A', false],
  ['system:serviceaccount:n.s:a', false],
  ['system:serviceaccount:N:a', false],
  [`system:serviceaccount:${'n'.repeat(63)}:a`, true],
  [`system:serviceaccount:${'n'.repeat(64)}:a`, false],
  ['system:serviceaccount:ns', false],
  ['system:serviceaccount:ns:a:b', false],
  ['system:serviceaccount:ns:a:', false],
  ['x:system:serviceaccount:ns:a', false],
])('%.60s is a ServiceAccount: %s', (username, isOne) => {
  expect(parseServiceAccountUsername(username) !== undefined).toBe(isOne);
});
