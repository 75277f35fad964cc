import { expect, test } from 'vitest';
import { createScopeOf, type AuditPolicyRule } from '../../../src/adapters/audit/policy.ts';
import { requestInfoOf } from '../../../src/apiserver/request/request-info.ts';

const blank: AuditPolicyRule = {
  level: 'Metadata',
  users: [],
  userGroups: [],
  verbs: [],
  resources: [],
  namespaces: [],
  nonResourceURLs: [],
  omitStages: [],
  omitManagedFields: undefined,
};
const resources = (group: string, names: readonly string[], resourceNames: readonly string[] = []) => ({
  resources: [{ group, resources: names, resourceNames }],
});

// Source: apiserver pkg/audit/policy/checker.go, and the descriptions in pkg/apis/audit/v1/types.go.
const rows: readonly [why: string, rule: Partial<AuditPolicyRule>, request: string, matches: boolean][] = [
  ['an empty rule matches', {}, 'GET /healthz', true],
  ['the user', { users: ['ann'] }, 'GET /api/v1/pods', true],
  ['another user', { users: ['bob'] }, 'GET /api/v1/pods', false],
  ['one of the groups', { userGroups: ['ops', 'dev'] }, 'GET /api/v1/pods', true],
  ['none of the groups', { userGroups: ['ops'] }, 'GET /api/v1/pods', false],
  ['the verb', { verbs: ['list'] }, 'GET /api/v1/pods', true],
  ['another verb', { verbs: ['get'] }, 'GET /api/v1/pods', false],
  ['the resource', resources('', ['pods']), 'GET /api/v1/namespaces/a/pods/p', true],
  ['its subresource is another', resources('', ['pods']), 'GET /api/v1/namespaces/a/pods/p/log', false],
  ['the subresource', resources('', ['pods/log']), 'GET /api/v1/namespaces/a/pods/p/log', true],
  ['all subresources', resources('', ['pods/*']), 'GET /api/v1/namespaces/a/pods/p/log', true],
  ['pods/* is the resource too', resources('', ['pods/*']), 'GET /api/v1/namespaces/a/pods/p', true],
  ['a subresource of all', resources('apps', ['*/scale']), 'PUT /apis/apps/v1/namespaces/a/deployments/d/scale', true],
  ['all of a group', resources('apps', []), 'GET /apis/apps/v1/deployments', true],
  ['all of another group', resources('batch', []), 'GET /apis/apps/v1/deployments', false],
  ['everything, subresources too', resources('', ['*']), 'GET /api/v1/namespaces/a/pods/p/log', true],
  ['the name', resources('', ['pods'], ['p']), 'GET /api/v1/namespaces/a/pods/p', true],
  ['another name', resources('', ['pods'], ['q']), 'GET /api/v1/namespaces/a/pods/p', false],
  ['the namespace', { namespaces: ['a'] }, 'GET /api/v1/namespaces/a/pods', true],
  ['no namespace', { namespaces: [''] }, 'GET /api/v1/nodes', true],
  ['a namespace is no path', { namespaces: [''] }, 'GET /healthz', false],
  ['the path', { nonResourceURLs: ['/healthz'] }, 'GET /healthz', true],
  ['the beginning of the path', { nonResourceURLs: ['/healthz*'] }, 'GET /healthz/ping', true],
  ['every path', { nonResourceURLs: ['*'] }, 'GET /version', true],
  ['a path is no resource', { nonResourceURLs: ['*'] }, 'GET /api/v1/pods', false],
];

const ann = { username: 'ann', uid: '', groups: ['dev'], extra: {} };
const asked = (request: string) => {
  const [method = '', path = ''] = request.split(' ');
  return { info: requestInfoOf(method, path, new URLSearchParams()), requester: ann };
};

test.each(rows)('%s: %j and %s', (_why, rule, request, matches) => {
  const scopeOf = createScopeOf({ rules: [{ ...blank, ...rule }], omitStages: [], omitManagedFields: false });
  expect(scopeOf(asked(request)).level).toBe(matches ? 'Metadata' : 'None');
});

test('a rule that wants a user does not match a request without one', () => {
  const rules = [{ ...blank, users: ['ann'] }];
  const scopeOf = createScopeOf({ rules, omitStages: [], omitManagedFields: false });
  expect(scopeOf({ ...asked('GET /healthz'), requester: undefined }).level).toBe('None');
});

test('the first rule that matches decides; what is left out is the union, or the rule’s own word', () => {
  const rules: readonly AuditPolicyRule[] = [
    { ...blank, level: 'Request', verbs: ['list'], omitStages: ['Panic'], omitManagedFields: false },
    { ...blank, level: 'RequestResponse' },
  ];
  const scopeOf = createScopeOf({ rules, omitStages: ['RequestReceived'], omitManagedFields: true });
  expect(scopeOf(asked('GET /api/v1/pods'))).toEqual({
    level: 'Request',
    omitStages: new Set(['RequestReceived', 'Panic']),
    omitManagedFields: false,
  });
  expect(scopeOf(asked('POST /api/v1/pods'))).toEqual({
    level: 'RequestResponse',
    omitStages: new Set(['RequestReceived']),
    omitManagedFields: true,
  });
});
