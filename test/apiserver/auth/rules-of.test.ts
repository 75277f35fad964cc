import { expect, test } from 'vitest';
import type { AbacPolicy } from '../../../src/apiserver/auth/abac-authorizer.ts';
import {
  abacRules,
  allRules,
  type ListedRules,
  nodeRules,
  noRules,
  unionRules,
} from '../../../src/apiserver/auth/rules-of.ts';
import { rulesReview } from '../../../src/apiserver/auth/reviews/answer-review.ts';
import { user } from './cluster.ts';

const eve = user('eve', 'readers');
const policy = (fields: Partial<AbacPolicy>): AbacPolicy => ({
  user: 'eve',
  group: '',
  readonly: false,
  apiGroup: '*',
  resource: '',
  namespace: 'ns',
  nonResourcePath: '',
  ...fields,
});
const rule = { verbs: ['*'], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [] };
const onPods = { ...rule, apiGroups: ['*'], resources: ['pods'] };

// Source: kubernetes pkg/auth/authorizer/abac/abac.go RulesFor.
test.each<[fact: string, policy: Partial<AbacPolicy>, rules: readonly object[]]>([
  ['a resource', { resource: 'pods' }, [onPods]],
  [
    'a resource that may be read',
    { resource: 'pods', readonly: true },
    [{ ...onPods, verbs: ['get', 'list', 'watch'] }],
  ],
  ['a path', { nonResourcePath: '/x' }, [{ ...rule, nonResourceURLs: ['/x'] }]],
  ['both', { resource: 'pods', nonResourcePath: '/x' }, [onPods, { ...rule, nonResourceURLs: ['/x'] }]],
  ['all namespaces', { resource: 'pods', namespace: '*' }, [onPods]],
  ['another namespace', { resource: 'pods', namespace: 'other' }, []],
  ['another user', { resource: 'pods', user: 'ada' }, []],
  ['another user in all namespaces', { resource: 'pods', user: 'ada', namespace: '*' }, []],
])('a policy of %s lists its rules', (_fact, fields, rules) => {
  expect(abacRules([policy(fields)])(eve, 'ns')).toEqual({ rules, incomplete: false, errors: [] });
});

// Source: plugin/pkg/auth/authorizer/node/node_authorizer.go RulesFor; apiserver plugin/pkg/authorizer/webhook/webhook.go.
test('an authorizer that cannot list rules reports it: the node authorizer for nodes alone', () => {
  const reported = (error: string): object => ({ rules: [], incomplete: true, errors: [error] });
  expect(nodeRules(eve, 'ns')).toEqual({ rules: [], incomplete: false, errors: [] });
  expect(nodeRules(user('system:node:n', 'system:nodes'), 'ns')).toEqual(
    reported('node authorizer does not support user rule resolution'),
  );
  expect(noRules(eve, 'ns')).toEqual({ rules: [], incomplete: false, errors: [] });
});

// Source: apiserver pkg/authorization/union/union.go RulesFor.
test.each<[fact: string, lists: readonly Partial<ListedRules>[], incomplete: boolean, errors: readonly string[]]>([
  ['no rules', [], false, []],
  ['all that are complete', [{}, {}], false, []],
  ['one that is not', [{}, { incomplete: true, errors: ['a'] }], true, ['a']],
  ['two that are not', [{ errors: ['a'] }, { incomplete: true, errors: ['b'] }], true, ['[a, b]']],
])('what %s lists is listed together', (_fact, lists, incomplete, errors) => {
  const all = lists.map((one) => () => ({ rules: [rule], incomplete: false, errors: [], ...one }));
  expect(unionRules(all)(eve, 'ns')).toEqual({ rules: lists.map(() => rule), incomplete, errors });
});

// Source: kubernetes pkg/registry/authorization/selfsubjectrulesreview/rest.go.
test('a review shows rules of resources and of paths apart, with what each has', () => {
  const review = { kind: 'SelfSubjectRulesReview', apiVersion: 'authorization.k8s.io/v1', spec: { namespace: 'ns' } };
  const named = { ...rule, resources: ['pods'], resourceNames: ['p'] };
  const lists = [allRules, () => ({ rules: [named], incomplete: true, errors: ['e'] })];
  expect(rulesReview(review, eve, unionRules(lists))['status']).toEqual({
    resourceRules: [
      { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
      { verbs: ['*'], resources: ['pods'], resourceNames: ['p'] },
    ],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
    incomplete: true,
    evaluationError: 'e',
  });
});
