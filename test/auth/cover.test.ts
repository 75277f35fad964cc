import { expect, test } from 'vitest';
import { atOnce } from '../../src/apimachinery/pause.ts';
import { uncovered } from '../../src/auth/rbac/cover.ts';
import { urlCovers } from '../../src/auth/rbac/policy-rule.ts';
import type { PolicyRule } from '../../src/auth/rbac/policy-rule.ts';

const rule = (fields: Partial<PolicyRule>): PolicyRule => ({
  verbs: [],
  apiGroups: [],
  resources: [],
  resourceNames: [],
  nonResourceURLs: [],
  ...fields,
});
const halves = ['get', 'list'].map((verb) => rule({ verbs: [verb], apiGroups: ['*'], resources: ['*'] }));
const both = rule({ verbs: ['get', 'list'], apiGroups: ['a', 'b'], resources: ['x', 'y'] });

// Source: component-helpers auth/rbac/validation/policy_comparator.go breaks every rule into its pieces first.
test('a rule that no rule covers whole is covered piece by piece', () => {
  expect(atOnce(uncovered(halves, [both]))).toEqual({ rules: [], complete: true });
});

test('what was not compared within the bound is not covered', () => {
  expect(atOnce(uncovered(halves, [both], { lookups: 20, characters: 1000 }))).toEqual({ rules: [], complete: false });
});

test('names limit what a rule covers, also where a rule has URLs beside', () => {
  const owned = [
    rule({ verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: ['a'], nonResourceURLs: ['*'] }),
  ];
  const wanted = rule({
    verbs: ['get'],
    apiGroups: [''],
    resources: ['pods'],
    resourceNames: ['a'],
    nonResourceURLs: ['/x'],
  });
  expect(atOnce(uncovered(owned, [wanted])).rules).toEqual([rule({ verbs: ['get'], nonResourceURLs: ['/x'] })]);
});

test('a list that is empty multiplies to nothing', () => {
  expect(
    atOnce(uncovered([], [rule({ verbs: ['get'], resources: ['pods'] }), rule({ nonResourceURLs: ['/x'] })])).rules,
  ).toEqual([]);
});

test.each([
  ['/a', '/a', true],
  ['/a*', '/ab', true],
  ['/a**', '/ab', true],
  ['/a', '/ab', false],
  [`${'*'.repeat(300_000)}a*`, '/ab', false],
])('a URL pattern: %.9s covers %s: %s', (pattern, path, covered) => {
  expect(urlCovers(pattern, path)).toBe(covered);
});

test('a rule covers whole lists or not: what it lacks is told', () => {
  const owner = rule({ verbs: ['get', 'list'], apiGroups: ['a'], resources: ['x', 'y'] });
  const missing = (wanted: Partial<PolicyRule>): readonly PolicyRule[] =>
    atOnce(uncovered([owner], [rule({ verbs: ['get'], apiGroups: ['a'], resources: ['x'], ...wanted })])).rules;
  const piece = { verbs: ['get'], apiGroups: ['a'], resources: ['x'] };
  expect(missing({ resources: ['y', 'x'] })).toEqual([]);
  expect(missing({ resources: ['x', 'z'] })).toEqual([rule({ ...piece, resources: ['z'] })]);
  expect(missing({ apiGroups: ['a', 'b'] })).toEqual([rule({ ...piece, apiGroups: ['b'] })]);
  expect(missing({ verbs: ['get', 'watch'] })).toEqual([rule({ ...piece, verbs: ['watch'] })]);
});
