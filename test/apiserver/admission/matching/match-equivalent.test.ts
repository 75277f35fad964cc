import { expect, test } from 'vitest';
import { matchRules } from '../../../../src/apiserver/admission/matching/match-equivalent.ts';
import type { MatchRule } from '../../../../src/apiserver/admission/matching/match-selectors.ts';
import type { ResourceInfo } from '../../../../src/api/types/catalogue/catalogue.ts';
import { createCatalogue } from '../../../../src/api/types/catalogue/create-catalogue.ts';
import { creating } from '../../../harness/admission.ts';
import { recordedRelease } from '../../../harness/recorded-release.ts';

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
