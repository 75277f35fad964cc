import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../../src/machinery/meta/object.ts';
import { aggregatedRules } from '../../../src/apiserver/auth/rbac/aggregate.ts';
import { createBootstrapRbac } from '../../../src/apiserver/auth/bootstrap-rbac.ts';
import { createRuleResolver } from '../../../src/apiserver/auth/rbac/rule-resolver.ts';
import { binding, clusterOf, clusterRole, user } from './cluster.ts';

const alice = user('alice', 'devs');
const reads = (resource: string) => ({ verbs: ['get'], apiGroups: [''], resources: [resource] });

const sourcesOf = (objects: readonly KubernetesObject[], who = alice, namespace = ''): readonly string[] =>
  createRuleResolver(clusterOf(objects))
    .grants(who, namespace)
    .map(({ source }) => source());

const wellKnown = 'system:openshift:public-info-viewer';
const wellKnownSource = `ClusterRoleBinding "${wellKnown}" of ClusterRole "${wellKnown}" to Group "system:authenticated"`;
const ofAlice = (name: string): string => `ClusterRoleBinding "${name}" of ClusterRole "r" to User "alice"`;

// Source: test/facts auth-reviews: it stands at the place of its name.
test.each<[names: readonly string[], sources: readonly string[]]>([
  [[], [wellKnownSource]],
  [['a'], [ofAlice('a'), wellKnownSource]],
  [
    ['t', 'u'],
    [wellKnownSource, ofAlice('t'), ofAlice('u')],
  ],
  [
    ['a', 'b', 't', 'u'],
    [ofAlice('a'), ofAlice('b'), wellKnownSource, ofAlice('t'), ofAlice('u')],
  ],
  [[wellKnown], [wellKnownSource, ofAlice(wellKnown)]],
])('the grants of the bindings %j are in order', (names, sources) => {
  const bindings = names.map((name) => binding('', name, 'r', 'User alice'));
  expect(sourcesOf([clusterRole('r', []), ...bindings])).toEqual(sources);
});

const to = (name: string, ...subjects: readonly object[]): KubernetesObject => ({
  ...binding('ns', name, 'r', 'User zoe'),
  subjects: subjects.map((subject) => ({ ...subject })),
});
const robot = user('system:serviceaccount:ns:robot');

// Source: kubernetes pkg/registry/rbac/validation/rule.go appliesTo: the first subject that applies is named.
test.each<[fact: string, subjects: readonly object[], who: typeof alice, reported: string | undefined]>([
  [
    'the first of two',
    [
      { kind: 'User', name: 'alice' },
      { kind: 'Group', name: 'devs' },
    ],
    alice,
    'User "alice"',
  ],
  [
    'the other way round',
    [
      { kind: 'Group', name: 'devs' },
      { kind: 'User', name: 'alice' },
    ],
    alice,
    'Group "devs"',
  ],
  [
    'the second',
    [
      { kind: 'User', name: 'bob' },
      { kind: 'User', name: 'alice' },
    ],
    alice,
    'User "alice"',
  ],
  [
    'a user is no group',
    [
      { kind: 'Group', name: 'alice' },
      { kind: 'User', name: 'devs' },
    ],
    alice,
    undefined,
  ],
  ['an account', [{ kind: 'ServiceAccount', namespace: 'ns', name: 'robot' }], robot, 'ServiceAccount "robot/ns"'],
  ['an account of the binding', [{ kind: 'ServiceAccount', name: 'robot' }], robot, 'ServiceAccount "robot/ns"'],
  ['an account elsewhere', [{ kind: 'ServiceAccount', namespace: 'other', name: 'robot' }], robot, undefined],
  ['what is no account', [{ kind: 'Robot', namespace: 'ns', name: 'robot' }], robot, undefined],
  ['no bindings', [], alice, undefined],
])('of the subjects of a binding: %s', (_fact, subjects, who, reported) => {
  const [, source] = sourcesOf([clusterRole('r', []), to('b', ...subjects)], who, 'ns');
  expect(source).toBe(reported && `RoleBinding "b/ns" of ClusterRole "r" to ${reported}`);
});

test('an account without a namespace matches no user, cluster-wide', () => {
  const nowhere = { ...binding('', 'b', 'r', 'User zoe'), subjects: [{ kind: 'ServiceAccount', name: 'robot' }] };
  expect(sourcesOf([nowhere], user('system:serviceaccount::robot'))).toEqual([wellKnownSource]);
});

const aggregating = (...selectors: readonly object[]): KubernetesObject =>
  clusterRole('all', [], { aggregationRule: { clusterRoleSelectors: selectors.map((one) => ({ ...one })) } });
const labelled = (name: string, label: string, ...resources: readonly string[]): KubernetesObject => {
  const role = clusterRole(name, resources.map(reads));
  return { ...role, metadata: { ...role.metadata, labels: { [label]: 'true' } } };
};
const selecting = (label: string): object => ({ matchLabels: { [label]: 'true' } });

// Source: kubernetes pkg/controller/clusterroleaggregation/clusterroleaggregation_controller_test.go.
test.each<[fact: string, selectors: readonly object[], resources: readonly string[]]>([
  ['one of two selectors is enough', [selecting('x'), selecting('y')], ['a', 'b', 'c']],
  ['the other alone', [selecting('y')], ['b', 'c']],
  ['each rule once', [selecting('x'), selecting('x')], ['a', 'b']],
  ['none', [], []],
  ['one that cannot be read', [{ matchExpressions: [{ key: 'x', operator: 'Near' }] }], []],
])('a role that aggregates: %s', (_fact, selectors, resources) => {
  const role = aggregating(...selectors);
  const all = [role, labelled('a', 'x', 'a', 'b'), labelled('b', 'y', 'b', 'c')];
  expect(aggregatedRules(role, all)).toEqual(resources.map(reads));
});

test('roles that aggregate each other are met once each', () => {
  const asking = aggregating(selecting('x'));
  const circle = Array.from({ length: 12 }, (_none, at) => ({ ...asking, ...labelled(`r${at}`, 'x'), rules: [] }));
  const all = [...circle, labelled('z', 'x', 'a')];
  expect(aggregatedRules(asking, all)).toEqual([reads('a')]);
});

test.each([0, 1])('it is read again when the role at %i has changed, and has its new rules', (at) => {
  const all = [labelled('a', 'x', 'a'), labelled('b', 'x', 'b'), aggregating(selecting('x'))];
  const resolver = createRuleResolver(clusterOf(all));
  const resources = (): readonly string[] => {
    const role = resolver.rulesOf({ kind: 'ClusterRole', name: 'all' }, '');
    return role.outcome === 'found' ? role.rules.flatMap((one) => one.resources) : [];
  };
  expect(resources()).toEqual(['a', 'b']);
  all[at] = labelled('ab'[at] ?? '', 'x', 'new');
  expect(resources()).toEqual(at === 0 ? ['new', 'b'] : ['a', 'new']);
});

// Source: kubernetes plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go addDefaultMetadata.
test('roles and bindings of a fresh server have what they say and no more', () => {
  const tables = {
    clusterroles: [
      { name: 'a', rules: [] },
      { name: 'b', aggregationRule: { clusterRoleSelectors: [] } },
    ],
    clusterrolebindings: [{ name: 'c', labels: { x: 'y' }, subjects: [], roleRef: { name: 'a' } }],
    roles: [{ name: 'd', namespace: 'kube-system', rules: [] }],
  };
  const metadata = (name: string, more: object = {}, labels: object = {}): object => ({
    name,
    ...more,
    labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
    annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
  });
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  expect(createBootstrapRbac(tables)).toStrictEqual([
    { kind: 'ClusterRole', apiVersion, metadata: metadata('a'), rules: [] },
    {
      kind: 'ClusterRole',
      apiVersion,
      metadata: metadata('b'),
      rules: null,
      aggregationRule: { clusterRoleSelectors: [] },
    },
    {
      kind: 'ClusterRoleBinding',
      apiVersion,
      metadata: metadata('c', {}, { x: 'y' }),
      subjects: [],
      roleRef: { name: 'a' },
    },
    { kind: 'Role', apiVersion, metadata: metadata('d', { namespace: 'kube-system' }), rules: [] },
  ]);
});
