import { expect, test } from 'vitest';
import { findUncovered } from '../../../src/apiserver/auth/rbac/escalation.ts';
import { type PolicyRule, urlCovers } from '../../../src/apiserver/auth/rbac/policy-rule.ts';

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
  expect(findUncovered(halves, [both])).toEqual({ rules: [], complete: true });
});

test('what was not compared within the bound is not covered', () => {
  expect(findUncovered(halves, [both], { lookups: 20, characters: 1000 })).toEqual({ rules: [], complete: false });
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
  expect(findUncovered(owned, [wanted]).rules).toEqual([rule({ verbs: ['get'], nonResourceURLs: ['/x'] })]);
});

test('a list that is empty multiplies to nothing', () => {
  expect(
    findUncovered([], [rule({ verbs: ['get'], resources: ['pods'] }), rule({ nonResourceURLs: ['/x'] })]).rules,
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

test('a rule covers complete lists or not: the missing part is returned', () => {
  const owner = rule({ verbs: ['get', 'list'], apiGroups: ['a'], resources: ['x', 'y'] });
  const missing = (wanted: Partial<PolicyRule>): readonly PolicyRule[] =>
    findUncovered([owner], [rule({ verbs: ['get'], apiGroups: ['a'], resources: ['x'], ...wanted })]).rules;
  const piece = { verbs: ['get'], apiGroups: ['a'], resources: ['x'] };
  expect(missing({ resources: ['y', 'x'] })).toEqual([]);
  expect(missing({ resources: ['x', 'z'] })).toEqual([rule({ ...piece, resources: ['z'] })]);
  expect(missing({ apiGroups: ['a', 'b'] })).toEqual([rule({ ...piece, apiGroups: ['b'] })]);
  expect(missing({ verbs: ['get', 'watch'] })).toEqual([rule({ ...piece, verbs: ['watch'] })]);
});

const asked = rule({ verbs: ['get'], apiGroups: ['a'], resources: ['x'] });
const missing = (owned: Partial<PolicyRule>, wanted: Partial<PolicyRule>): readonly PolicyRule[] =>
  findUncovered([{ ...asked, ...owned }], [{ ...asked, ...wanted }]).rules;

// Source: component-helpers auth/rbac/validation/policy_comparator_test.go, policy_compact_test.go.
test.each<[fact: string, owned: Partial<PolicyRule>, wanted: Partial<PolicyRule>, missing: readonly object[]]>([
  ['groups without resources are nothing', { verbs: [] }, { resources: [] }, []],
  [
    'of two names the one that is not owned',
    { resourceNames: ['a'] },
    { resourceNames: ['a', 'b'] },
    [{ ...asked, resourceNames: ['b'] }],
  ],
  ['all names are more than one', { resourceNames: ['a'] }, {}, [asked]],
  ['without names all are owned', {}, { resourceNames: ['a', 'b'] }, []],
  [
    'pieces of one name stay pieces, resource by resource',
    { verbs: [] },
    { verbs: ['get', 'list'], resources: ['x', 'y'], resourceNames: ['n'] },
    [
      { ...asked, verbs: ['get'], resources: ['x'], resourceNames: ['n'] },
      { ...asked, verbs: ['list'], resources: ['x'], resourceNames: ['n'] },
      { ...asked, verbs: ['get'], resources: ['y'], resourceNames: ['n'] },
      { ...asked, verbs: ['list'], resources: ['y'], resourceNames: ['n'] },
    ],
  ],
  [
    'pieces of one resource are put together, of each group',
    { verbs: [] },
    { verbs: ['get', 'list'], apiGroups: ['a', 'b'], resources: ['x', 'y'] },
    [
      { ...asked, verbs: ['get', 'list'], apiGroups: ['a'], resources: ['x'] },
      { ...asked, verbs: ['get', 'list'], apiGroups: ['a'], resources: ['y'] },
      { ...asked, verbs: ['get', 'list'], apiGroups: ['b'], resources: ['x'] },
      { ...asked, verbs: ['get', 'list'], apiGroups: ['b'], resources: ['y'] },
    ],
  ],
  ['a subresource of all resources', { resources: ['*/scale'] }, { resources: ['x/scale', '/scale'] }, []],
  ['a resource is no subresource', { resources: ['*x', '*/x'] }, {}, [asked]],
])('%s', (_fact, owned, wanted, rules) => {
  expect(missing(owned, wanted)).toEqual(rules);
});

test.each<[owned: readonly string[], wanted: readonly string[], missing: readonly string[]]>([
  [['/a'], ['/a'], []],
  [['/a*'], ['/ab', '/a'], []],
  [
    ['/a', '/b*'],
    ['/a', '/bc', '/ab', '/c'],
    ['/ab', '/c'],
  ],
  [['*'], ['/x'], []],
])('the rules %j do not cover of %j: %j', (owned, wanted, urls) => {
  const of = (nonResourceURLs: readonly string[]) => rule({ verbs: ['get'], nonResourceURLs });
  expect(findUncovered([of(owned)], [of(wanted)]).rules).toEqual(urls.map((url) => of([url])));
});

// Ours: three lists of one are three lookups for each rule; a missing piece has its texts and 60 characters around them.
test.each([
  [{ lookups: 3, characters: 65 }, true],
  [{ lookups: 2, characters: 65 }, false],
  [{ lookups: 3, characters: 64 }, false],
])('within %j it is complete: %s', (most, complete) => {
  expect(findUncovered([rule({ verbs: ['list'] })], [asked], most).complete).toBe(complete);
});
