import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../../src/machinery/meta/object.ts';
import { createBootstrapRbac } from '../../../src/apiserver/auth/bootstrap-rbac.ts';
import { type AuthorizationQuestion, forbiddenRequest } from '../../../src/apiserver/auth/authorizer.ts';
import { createRbacAuthorizer, createRuleResolver } from '../../../src/apiserver/auth/rbac/rule-resolver.ts';
import type { UserInfo } from '../../../src/apiserver/auth/user.ts';
import { binding, clusterOf, clusterRole, role, user } from './cluster.ts';
import { recordedRelease } from '../../harness/recorded-release.ts';

/** `get apps/deployments/scale ns name`, with `-` for nothing, or `get /path`. */
function question(who: UserInfo, text: string): AuthorizationQuestion {
  const [verb = '', what = '', namespace = '-', name = '-'] = text.split(' ');
  if (what.startsWith('/')) return { type: 'path', user: who, verb, path: what };
  const [group = '', resource = '', subresource = ''] = what.split('/');
  const given = (part: string): string => (part === '-' ? '' : part);
  return {
    type: 'resource',
    user: who,
    verb,
    group: given(group),
    version: 'v1',
    resource,
    subresource,
    namespace: given(namespace),
    name: given(name),
  };
}

const decide = (objects: readonly KubernetesObject[], who: UserInfo, text: string): string => {
  const { allowed, reason } = createRbacAuthorizer(createRuleResolver(clusterOf(objects)))(question(who, text));
  return `${allowed ? 'yes' : 'no'} ${reason}`.trim();
};

const alice = user('alice', 'devs');
const robot = user('system:serviceaccount:ns:robot', 'system:serviceaccounts');
const readPods = { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'] };

// Source: plugin/pkg/auth/authorizer/rbac/rbac_test.go, pkg/registry/rbac/validation/rule.go.
const objects = [
  clusterRole('reader', [readPods]),
  clusterRole('scaler', [{ verbs: ['*'], apiGroups: ['*'], resources: ['*/scale'] }]),
  clusterRole('starred', [{ verbs: ['get'], apiGroups: [''], resources: ['endpoints/*'] }]),
  clusterRole('named', [{ verbs: ['get'], apiGroups: [''], resources: ['secrets'], resourceNames: ['mine'] }]),
  clusterRole('urls', [{ verbs: ['get'], nonResourceURLs: ['/logs/*', '/metrics'] }]),
  role('ns', 'writer', [{ verbs: ['create'], apiGroups: [''], resources: ['configmaps', 'pods/exec'] }]),
  binding('', 'b-reader', 'reader', 'Group devs'),
  binding('', 'b-starred', 'starred', 'User alice'),
  binding('', 'b-named', 'named', 'User alice'),
  binding('', 'b-urls', 'urls', 'User alice'),
  binding('ns', 'b-scaler', 'scaler', 'User alice'),
  binding('ns', 'b-writer', 'Role/writer', 'ServiceAccount ns/robot'),
  binding('ns', 'b-near', 'reader', 'ServiceAccount /robot'),
];

const decisions: readonly [who: UserInfo, question: string, decision: string][] = [
  [
    alice,
    'get -/pods ns p',
    'yes RBAC: allowed by ClusterRoleBinding "b-reader" of ClusterRole "reader" to Group "devs"',
  ],
  [alice, 'list -/pods', 'yes RBAC: allowed by ClusterRoleBinding "b-reader" of ClusterRole "reader" to Group "devs"'],
  [alice, 'delete -/pods ns p', 'no'],
  [alice, 'get -/pods/log ns p', 'no'],
  [alice, 'get apps/pods ns p', 'no'],
  // `endpoints/*` is the name of nothing: only the resource may be a star before a subresource.
  [alice, 'get -/endpoints ns e', 'no'],
  [alice, 'get -/endpoints/status ns e', 'no'],
  [
    alice,
    'patch apps/deployments/scale ns d',
    'yes RBAC: allowed by RoleBinding "b-scaler/ns" of ClusterRole "scaler" to User "alice"',
  ],
  [alice, 'patch apps/deployments/scale other d', 'no'],
  [alice, 'patch apps/deployments ns d', 'no'],
  [
    alice,
    'get -/secrets ns mine',
    'yes RBAC: allowed by ClusterRoleBinding "b-named" of ClusterRole "named" to User "alice"',
  ],
  [alice, 'get -/secrets ns other', 'no'],
  [alice, 'get /logs/', 'yes RBAC: allowed by ClusterRoleBinding "b-urls" of ClusterRole "urls" to User "alice"'],
  [alice, 'get /logs/a/b', 'yes RBAC: allowed by ClusterRoleBinding "b-urls" of ClusterRole "urls" to User "alice"'],
  [alice, 'get /logs', 'no'],
  [alice, 'post /metrics', 'no'],
  [
    robot,
    'create -/configmaps ns',
    'yes RBAC: allowed by RoleBinding "b-writer/ns" of Role "writer" to ServiceAccount "robot/ns"',
  ],
  [
    robot,
    'create -/pods/exec ns p',
    'yes RBAC: allowed by RoleBinding "b-writer/ns" of Role "writer" to ServiceAccount "robot/ns"',
  ],
  [robot, 'create -/configmaps', 'no'],
  [
    robot,
    'get -/pods ns p',
    'yes RBAC: allowed by RoleBinding "b-near/ns" of ClusterRole "reader" to ServiceAccount "robot/ns"',
  ],
  [user('root', 'system:masters'), 'anything any/thing', 'yes'],
];

test.each(decisions)('$username may $1: $2', (who, text, decision) => {
  expect(decide(objects, who, text)).toBe(decision);
});

test('a denial names the roles that are missing', () => {
  const dangling = [binding('', 'a', 'gone', 'User alice'), binding('ns', 'b', 'Role/lost', 'User alice')];
  const gone = 'clusterrole.rbac.authorization.k8s.io "gone" not found';
  expect(decide(dangling, alice, 'get -/pods')).toBe(`no RBAC: ${gone}`);
  const both = `[${gone}, role.rbac.authorization.k8s.io "lost" not found]`;
  expect(decide(dangling, alice, 'get -/pods ns p')).toBe(`no RBAC: ${both}`);
});

test('an aggregating role follows the labelled ones as they come and go', () => {
  const labels = { 'x/to-admin': 'true' };
  const selector = { clusterRoleSelectors: [{ matchLabels: labels }] };
  const part = clusterRole('part', [readPods], { metadata: { name: 'part', labels } });
  const middle = clusterRole('middle', [], {
    metadata: { name: 'middle', labels },
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { 'x/to-middle': 'true' } }] },
  });
  const deep = clusterRole('deep', [{ verbs: ['watch'], apiGroups: [''], resources: ['pods'] }], {
    metadata: { name: 'deep', labels: { 'x/to-middle': 'true' } },
  });
  const cluster: KubernetesObject[] = [
    clusterRole('all', [], { aggregationRule: selector }),
    binding('', 'b', 'all', 'User alice'),
  ];
  const authorize = createRbacAuthorizer(createRuleResolver(clusterOf(cluster)));
  const seen = (verb: string): boolean => authorize(question(alice, `${verb} -/pods ns p`)).allowed;
  expect([seen('get'), seen('watch')]).toEqual([false, false]);
  cluster.push(part, middle, deep);
  expect([seen('get'), seen('watch')]).toEqual([true, true]);
  cluster.splice(cluster.indexOf(part), 1);
  expect([seen('get'), seen('watch')]).toEqual([false, true]);
});

// Source: the bootstrap roles of v1.36.2.
const bootstrapped: readonly [who: UserInfo, question: string, allowed: string][] = [
  [alice, 'create authorization.k8s.io/selfsubjectaccessreviews', 'yes'],
  [alice, 'get /version', 'yes'],
  [alice, 'get /apis/apps/v1', 'yes'],
  [alice, 'get /metrics', 'no'],
  [alice, 'list -/pods ns', 'no'],
  [{ ...user('system:anonymous'), groups: ['system:unauthenticated'] }, 'get /version', 'yes'],
  [{ ...user('system:anonymous'), groups: ['system:unauthenticated'] }, 'get /apis', 'no'],
  [user('system:kube-scheduler'), 'create -/pods/binding ns p', 'yes'],
];

test.each(bootstrapped)('on a fresh server $username may $1: $2', (who, text, allowed) => {
  expect(decide(createBootstrapRbac(recordedRelease.bootstrapRbac), who, text).slice(0, 3).trim()).toBe(allowed);
});

test('admin, edit and view come out as they are stored', () => {
  const edit = decide(
    [...createBootstrapRbac(recordedRelease.bootstrapRbac), binding('ns', 'b', 'edit', 'User alice')],
    alice,
    'create apps/deployments ns d',
  );
  expect(edit).toBe('yes RBAC: allowed by RoleBinding "b/ns" of ClusterRole "edit" to User "alice"');
  const view = decide(
    [...createBootstrapRbac(recordedRelease.bootstrapRbac), binding('ns', 'b', 'view', 'User alice')],
    alice,
    'get -/secrets ns s',
  );
  expect(view).toBe('no');
});

// Source: facts/auth-rbac-forbidden, auth-anonymous; apiserver pkg/endpoints/handlers/responsewriters/errors.go.
const texts: readonly [question: string, reason: string, message: string][] = [
  [
    'list -/configmaps ns',
    '',
    'configmaps is forbidden: User "alice" cannot list resource "configmaps" in API group "" in the namespace "ns"',
  ],
  [
    'list -/nodes',
    '',
    'nodes is forbidden: User "alice" cannot list resource "nodes" in API group "" at the cluster scope',
  ],
  ['get /metrics', '', 'forbidden: User "alice" cannot get path "/metrics"'],
  ['get /<x>', '', 'forbidden: User "alice" cannot get path "/&lt;x&gt;"'],
  [
    'patch apps/deployments/scale ns d',
    '',
    'deployments.apps "d" is forbidden: User "alice" cannot patch resource "deployments/scale" in API group "apps" in the namespace "ns"',
  ],
  [
    'list -/pods',
    'RBAC: clusterrole.rbac.authorization.k8s.io "x" not found',
    'pods is forbidden: User "alice" cannot list resource "pods" in API group "" at the cluster scope: RBAC: clusterrole.rbac.authorization.k8s.io "x" not found',
  ],
];

test.each(texts)('%s is refused with its text', (text, reason, message) => {
  expect(forbiddenRequest(question(alice, text), reason)).toMatchObject({ code: 403, reason: 'Forbidden', message });
});
