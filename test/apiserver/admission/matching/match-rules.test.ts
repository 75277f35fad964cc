import { expect, test } from 'vitest';
import {
  nearestMismatch,
  ruleMatches,
  type RuleSubject,
  matchRules,
} from '../../../../src/apiserver/admission/matching/match-rules.ts';
import type { MatchRule } from '../../../../src/apiserver/admission/matching/match-selectors.ts';
import type { ResourceInfo } from '../../../../src/api/types/catalogue/catalogue.ts';
import { createCatalogue } from '../../../../src/api/types/catalogue/create-catalogue.ts';
import { creating } from '../../../harness/admission.ts';
import { recordedRelease } from '../../../harness/recorded-release.ts';

const rule = (fields: Partial<MatchRule>): MatchRule => ({
  operations: ['*'],
  apiGroups: ['*'],
  apiVersions: ['*'],
  resources: ['*/*'],
  scope: '*',
  ...fields,
});

const pods = { group: '', version: 'v1', resource: 'pods' };
const subject = (fields: Partial<RuleSubject>): RuleSubject => ({
  operation: 'CREATE',
  resource: pods,
  subresource: '',
  namespace: 'default',
  ...fields,
});

const status = { subresource: 'status' };
const namespaces = { resource: { group: '', version: 'v1', resource: 'namespaces' }, namespace: 'own-name' };
const nodes = { resource: { group: '', version: 'v1', resource: 'nodes' }, namespace: '' };

// Source: apiserver pkg/admission/plugin/webhook/predicates/rules/rules_test.go; spec rules SEL-20 to SEL-26
const facts: readonly [fact: string, rule: Partial<MatchRule>, subject: Partial<RuleSubject>, matches: boolean][] = [
  ['"pods" covers pods', { resources: ['pods'] }, {}, true],
  ['"pods" does not cover pods/status', { resources: ['pods'] }, status, false],
  ['"*" covers pods', { resources: ['*'] }, {}, true],
  ['"*" does not cover pods/status', { resources: ['*'] }, status, false],
  ['"pods/*" covers pods', { resources: ['pods/*'] }, {}, true],
  ['"pods/*" covers pods/status', { resources: ['pods/*'] }, status, true],
  ['"*/*" covers pods', { resources: ['*/*'] }, {}, true],
  ['"*/*" covers pods/status', { resources: ['*/*'] }, status, true],
  ['"*/status" does not cover pods', { resources: ['*/status'] }, {}, false],
  ['"*/status" covers pods/status', { resources: ['*/status'] }, status, true],
  ['"pods/status" does not cover pods/exec', { resources: ['pods/status'] }, { subresource: 'exec' }, false],
  ['no resources cover nothing', { resources: [] }, {}, false],
  ['operations are compared as they are spelled', { operations: ['create'] }, {}, false],
  ['one of several operations suffices', { operations: ['UPDATE', 'CREATE'] }, {}, true],
  ['the core group is the empty text', { apiGroups: [''] }, {}, true],
  ['another group does not match', { apiGroups: ['apps'] }, {}, false],
  ['another version does not match', { apiVersions: ['v2'] }, {}, false],
  ['Namespaced covers what has a namespace', { scope: 'Namespaced' }, {}, true],
  ['Namespaced does not cover nodes', { scope: 'Namespaced' }, nodes, false],
  ['Cluster covers nodes', { scope: 'Cluster' }, nodes, true],
  ['Cluster does not cover what has a namespace', { scope: 'Cluster' }, {}, false],
  ['a Namespace is cluster-scoped though it carries its own name', { scope: 'Namespaced' }, namespaces, false],
  ['Cluster covers namespaces/status', { scope: 'Cluster' }, { ...namespaces, ...status }, true],
];

test.each(facts)('%s', (_fact, ruleFields, subjectFields, matches) => {
  expect(ruleMatches(rule(ruleFields), subject(subjectFields))).toBe(matches);
});

// Ours: what explanations say of a rule that almost matched.
test('the nearest rule is the one that fails in the fewest parts', () => {
  const rules = [
    rule({ operations: ['DELETE'], apiGroups: ['apps'] }),
    rule({ resources: ['pods'], scope: 'Cluster' }),
  ];
  expect(nearestMismatch([rules[0] ?? rule({}), rule({ resources: ['nodes'] })], subject(status))).toEqual({
    rule: 1,
    parts: [{ part: 'resource', wants: ['nodes'], has: 'pods/status' }],
  });
  expect(nearestMismatch(rules, subject({}))).toEqual({
    rule: 1,
    parts: [{ part: 'scope', wants: ['Cluster'], has: 'Namespaced' }],
  });
  expect(nearestMismatch([], subject({}))).toBeNull();
  // One for the same resource shows more than one for another, even if it fails in as many parts.
  const deleting = rule({ operations: ['DELETE'] });
  expect(nearestMismatch([rule({ resources: ['nodes'] }), deleting], subject({}))).toMatchObject({ rule: 1 });
});

test.each<readonly [pattern: string, nearest: number]>([
  ['pods', 1],
  ['pods/exec', 1],
  ['*', 1],
  ['*/scale', 1],
  ['pod', 0],
  ['podsx', 0],
  ['nodes/pods', 0],
  ['nodes*', 0],
])(
  'of a rule for nodes and one for %s, neither of which covers pods/status, number %i is nearer',
  (pattern, nearest) => {
    const rules = [rule({ resources: ['nodes'] }), rule({ resources: [pattern] })];
    expect(nearestMismatch(rules, subject(status))?.rule).toBe(nearest);
  },
);

const versioned = (version: string): ResourceInfo => ({
  group: 'a.io',
  version,
  resource: 'things',
  kind: { group: 'a.io', version, kind: 'Thing' },
  namespaced: true,
  singular: 'thing',
  subresource: '',
  shortNames: [],
  categories: [],
  verbs: ['create'],
  storage: { group: 'a.io', version: 'v1', resource: 'things', kind: 'Thing' },
});

const catalogue = createCatalogue(recordedRelease.types, []);
catalogue.put('things.a.io', ['v1', 'v1beta1', 'v2', 'v3'].map(versioned));

const thing = creating(
  { kind: 'Thing', apiVersion: 'a.io/v1', metadata: { name: 't', namespace: 'default' } },
  { resource: { group: 'a.io', version: 'v1', resource: 'things' }, namespace: 'default' },
);

const ruleFor = (...apiVersions: readonly string[]): MatchRule => ({
  operations: ['*'],
  apiGroups: ['a.io'],
  apiVersions,
  resources: ['things'],
  scope: '*',
});

// Source: apiserver pkg/admission/plugin/webhook/generic/webhook.go ShouldCallHook: for each rule each equivalent, the
// first that fits; spec rules SEL-30 to SEL-36
test.each<[what: string, rules: readonly MatchRule[], matched: string]>([
  ['the version that was sent comes first', [ruleFor('v3'), ruleFor('v1')], 'v1 by rule 1'],
  ['of several equivalents the first that was registered', [ruleFor('v3', 'v2', 'v1beta1')], 'v1beta1 by rule 0'],
  ['the first rule that has one, whatever the next would like', [ruleFor('v3'), ruleFor('v1beta1')], 'v3 by rule 0'],
  ['a rule without one is passed over', [ruleFor('v9'), ruleFor('v2', 'v3')], 'v2 by rule 1'],
  ['no rule has one', [ruleFor('v9')], 'unmatched'],
])('%s', (_what, rules, matched) => {
  const found = matchRules(rules, 'Equivalent', thing, catalogue);
  expect(found.outcome === 'matched' ? `${found.as.resource.version} by rule ${found.as.rule}` : found.outcome).toBe(
    matched,
  );
});
