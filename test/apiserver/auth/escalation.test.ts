import { expect, test } from 'vitest';
import { type KubernetesObject, withMetadata } from '../../../src/machinery/meta/object.ts';
import { escalationRefusal, type RbacWrite } from '../../../src/apiserver/auth/rbac/escalation.ts';
import { unionAuthorizers } from '../../../src/apiserver/auth/authorizer.ts';
import { createRbacAuthorizer, createRuleResolver } from '../../../src/apiserver/auth/rbac/rule-resolver.ts';
import { binding, clusterOf, clusterRole, role, user } from './cluster.ts';

const rbac = 'rbac.authorization.k8s.io';
const readPods = { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'] };
const resolver = createRuleResolver(
  clusterOf([
    clusterRole('reader', [readPods]),
    clusterRole('strong', [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }]),
    clusterRole('binder', [
      { verbs: ['bind'], apiGroups: [rbac], resources: ['clusterroles'], resourceNames: ['strong'] },
      { verbs: ['escalate'], apiGroups: [rbac], resources: ['roles'] },
    ]),
    binding('', 'a', 'reader', 'User alice'),
    binding('', 'b', 'binder', 'User bob'),
    binding('', 'c', 'gone', 'User carol'),
    clusterRole('one-secret', [
      { verbs: ['get'], apiGroups: [''], resources: ['secrets'], resourceNames: ['mine', 'ours'] },
    ]),
    binding('', 'd', 'one-secret', 'User dave'),
  ]),
);
const ports = { resolver, authorize: unionAuthorizers([createRbacAuthorizer(resolver)]) };

const write = (object: KubernetesObject, who: string, more: Partial<RbacWrite> = {}): RbacWrite => ({
  user: user(who),
  resource:
    ({ Role: 'roles', ClusterRole: 'clusterroles', RoleBinding: 'rolebindings' } as const)[object.kind] ??
    'clusterrolebindings',
  requestName: '',
  namespace: object.metadata?.namespace ?? '',
  object,
  oldObject: null,
  ...more,
});

const newRole = role('ns', 'r', [
  { verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['pods', 'pods/log'] },
]);
const missing = [
  '{APIGroups:[""], Resources:["pods"], Verbs:["watch"]}',
  '{APIGroups:[""], Resources:["pods/log"], Verbs:["get" "list" "watch"]}',
].join('\n');
const grants = 'is attempting to grant RBAC permissions not currently held:\n';
const alice = `user "alice" (groups=["system:authenticated"]) ${grants}`;

// Source: pkg/registry/rbac/role/policybased/storage_test.go, pkg/registry/rbac/validation/rule_test.go.
const refusals: readonly [fact: string, write: RbacWrite, message: string | undefined][] = [
  ['a role may hold what its writer holds', write(role('ns', 'r', [readPods]), 'alice'), undefined],
  ['and not more', write(newRole, 'alice'), `roles.${rbac} "r" is forbidden: ${alice}${missing}`],
  ['system:masters may grant anything', { ...write(newRole, 'x'), user: user('x', 'system:masters') }, undefined],
  ['a user who may escalate may grant anything', write(newRole, 'bob'), undefined],
  [
    'an unchanged role may get other owners',
    write(withMetadata(newRole, { finalizers: ['x'] }), 'alice', { oldObject: newRole, requestName: 'r' }),
    undefined,
  ],
  [
    'names and URLs are pieces of their own',
    write(
      clusterRole('c', [
        { verbs: ['get'], apiGroups: [''], resources: ['secrets'], resourceNames: ['a', 'b'] },
        { verbs: ['get'], nonResourceURLs: ['/metrics'] },
      ]),
      'alice',
    ),
    `clusterroles.${rbac} "c" is forbidden: ${alice}${[
      '{APIGroups:[""], Resources:["secrets"], ResourceNames:["a"], Verbs:["get"]}',
      '{APIGroups:[""], Resources:["secrets"], ResourceNames:["b"], Verbs:["get"]}',
      '{NonResourceURLs:["/metrics"], Verbs:["get"]}',
    ].join('\n')}`,
  ],
  [
    'a right to one name is none to all',
    write(role('ns', 'r', [{ verbs: ['get'], apiGroups: [''], resources: ['secrets'] }]), 'dave'),
    `roles.${rbac} "r" is forbidden: user "dave" (groups=["system:authenticated"]) ${grants}{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}`,
  ],
  [
    'but covers that name',
    write(
      role('ns', 'r', [{ verbs: ['get'], apiGroups: [''], resources: ['secrets'], resourceNames: ['ours'] }]),
      'dave',
    ),
    undefined,
  ],
  [
    'aggregation wants everything',
    write(clusterRole('c', [], { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } }), 'alice'),
    `clusterroles.${rbac} "c" is forbidden: must have cluster-admin privileges to use the aggregationRule`,
  ],
  [
    'a rule without selectors aggregates nothing',
    write(clusterRole('c', [], { aggregationRule: { clusterRoleSelectors: [] } }), 'alice'),
    undefined,
  ],
  ['a binding may grant what its writer holds', write(binding('ns', 'n', 'reader', 'User x'), 'alice'), undefined],
  [
    'and not more, either',
    write(binding('', 'n', 'strong', 'User x'), 'alice'),
    `clusterrolebindings.${rbac} "n" is forbidden: ${alice}{APIGroups:["*"], Resources:["*"], Verbs:["*"]}`,
  ],
  ['a user who may bind a role may bind it', write(binding('ns', 'n', 'strong', 'User x'), 'bob'), undefined],
  [
    'a missing role is missing',
    write(binding('ns', 'n', 'nope', 'User x'), 'alice'),
    `rolebindings.${rbac} "nope" not found`,
  ],
  [
    'roles of the writer that are missing are named',
    write(role('ns', 'r', [readPods]), 'carol'),
    `roles.${rbac} "r" is forbidden: user "carol" (groups=["system:authenticated"]) ${grants}{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}; resolution errors: [clusterrole.${rbac} "gone" not found]`,
  ],
];

const many = (count: number, of: string): readonly string[] =>
  Array.from({ length: count }, (_none, at) => `${of}${at}`);

// 10^12 pieces in 40 kB.
test('a role that multiplies beyond measure is refused in steps, by what was found so far', () => {
  const huge = { verbs: many(1000, 'v'), apiGroups: many(1000, 'g'), resources: many(1000, 'r') };
  const named = { ...huge, resourceNames: many(1000, 'n') };
  const refusal = escalationRefusal(write(role('ns', 'r', [named]), 'alice'), ports);
  expect(refusal?.message).toContain('{APIGroups:["g0"], Resources:["r0"], ResourceNames:["n0"], Verbs:["v0"]}');
  expect(refusal?.message).toMatch(/\n… and perhaps more: [^\n]+$/);
});

test('and granted by who holds it whole, piece or not', () => {
  const rules = createRuleResolver(
    clusterOf([
      clusterRole('all', [{ verbs: ['*'], apiGroups: many(1000, 'g'), resources: ['*'] }]),
      binding('', 'a', 'all', 'User alice'),
    ]),
  );
  const huge = { verbs: many(1000, 'v'), apiGroups: many(1000, 'g'), resources: many(1000, 'r') };
  const own = { resolver: rules, authorize: unionAuthorizers([createRbacAuthorizer(rules)]) };
  expect(escalationRefusal(write(role('ns', 'r', [huge]), 'alice'), own)).toBeUndefined();
});

test.each(refusals)('%s', (_fact, asked, message) => {
  expect(escalationRefusal(asked, ports)?.message).toBe(message);
});
