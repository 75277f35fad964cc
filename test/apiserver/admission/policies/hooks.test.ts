import { expect, test } from 'vitest';
import type { GroupResource } from '../../../../src/machinery/meta/gvk.ts';
import type { JsonObject } from '../../../../src/machinery/json/json.ts';
import { collectHooks, type Hook, indexHooks } from '../../../../src/apiserver/admission/policies/hooks.ts';
import { chooseHooks } from '../../../../src/apiserver/admission/policies/plugins.ts';
import { recordedRelease } from '../../../harness/recorded-release.ts';
import { creating, object } from '../../../harness/builtin-plugin.ts';
import { createVirtualClock, epoch } from '../../../harness/virtual-clock.ts';

const rule = (group: string, ...resources: readonly string[]): JsonObject => ({
  apiGroups: group.split(','),
  apiVersions: ['v1'],
  operations: ['*'],
  resources: [...resources],
});

/** Policies with rules, by name, each with one binding. */
const bound = (rules: Readonly<Record<string, readonly JsonObject[]>>): readonly Hook[] =>
  collectHooks(
    Object.entries(rules).map(([name, resourceRules]) => ({
      ...object('v1', 'ValidatingAdmissionPolicy', name),
      spec: { matchConstraints: { resourceRules } },
    })),
    Object.keys(rules).map((policyName) => ({
      ...object('v1', 'ValidatingAdmissionPolicyBinding', `b-${policyName}`),
      spec: { policyName },
    })),
  );

const namesOf = (hooks: readonly { readonly policy: { readonly name: string } }[]): string =>
  hooks.map(({ policy }) => policy.name).join(' ');

const hooks = bound({
  all: [],
  core: [rule('', 'pods', 'services/status')],
  apps: [rule('apps', '*')],
  subs: [rule('*', '*/scale')],
  two: [rule('batch', 'jobs'), rule('x,apps', 'deployments/*')],
});
const resource = (text: string): GroupResource => {
  const [plural = '', ...group] = text.split('.');
  return { group: group.join('.'), resource: plural };
};

// Ours: who cannot be about a resource is not looked at; a rule names a resource by itself, a star, or one of its subresources.
test.each<[resources: readonly string[], candidates: string]>([
  [['pods'], 'all core subs'],
  [['podtemplates'], 'all subs'],
  [['services'], 'all core subs'],
  [['service'], 'all subs'],
  [['deployments.apps'], 'all apps subs two'],
  [['statefulsets.apps'], 'all apps subs'],
  [['pods.apps'], 'all apps subs'],
  [['jobs.batch'], 'all subs two'],
  [['deployments.x'], 'all subs two'],
  [['pods', 'jobs.batch'], 'all core subs two'],
  [[], 'all'],
])('of %j may be about: %s', (resources, candidates) => {
  const { candidates: found, others } = indexHooks(hooks).about(resources.map(resource));
  expect(namesOf(found)).toBe(candidates);
  const left = namesOf(hooks).split(' ');
  expect(namesOf(others)).toBe(left.filter((name) => !candidates.split(' ').includes(name)).join(' '));
});

test('who is not bound is about nothing', () => {
  const unbound = hooks.map(({ policy }) => ({ policy, bindings: [] }));
  expect(indexHooks(unbound).about([resource('pods')])).toEqual({ candidates: [], others: unbound });
});

test('bindings of a policy come by name, a policy without any has none', () => {
  const [one, other] = collectHooks(
    [object('v1', 'P', 'b'), object('v1', 'P', 'a')].map((policy) => ({ ...policy, spec: {} })),
    ['z', 'x', 'y'].map((name) => ({ ...object('v1', 'B', name), spec: { policyName: 'a' } })),
  );
  expect(one && [one.policy.name, ...one.bindings.map(({ name }) => name)]).toEqual(['a', 'x', 'y', 'z']);
  expect(other && [other.policy.name, ...other.bindings]).toEqual(['b']);
});

const ports = { catalogue: recordedRelease.createCatalogue(), clock: createVirtualClock() };
const [fixedOne] = bound({ fixed: [rule('', 'pods')] });
const fixedHooks = bound({ fixed: [rule('', '*')], 'other-fixed': [rule('apps', '*')] });
const ofPolicies = { group: 'admissionregistration.k8s.io', version: 'v1', resource: 'validatingadmissionpolicies' };
const reviews = { group: 'authentication.k8s.io', version: 'v1', resource: 'tokenreviews' };
const pods = { group: '', version: 'v1', resource: 'pods' };

interface Asked {
  readonly fixed?: readonly Hook[];
  readonly stored?: readonly Hook[];
  readonly of?: typeof pods;
}

interface Chosen {
  readonly candidates: string;
  readonly others?: string;
  readonly exempt?: string;
}

const all = bound({ stored: [], 'other-stored': [rule('apps', '*')] });
const some = all.slice(0, 1);
const everybody = { fixed: fixedHooks, stored: all };

// Source: apiserver pkg/admission/plugin/policy/generic/plugin.go (rules SEL-1a, SEL-2, STA-7); those of files come first.
test.each<[fact: string, asked: Asked, chosen: Chosen]>([
  ['no hooks', {}, { candidates: '' }],
  ['one that is stored', { stored: bound({ a: [] }) }, { candidates: 'a' }],
  ['one that is fixed', { fixed: fixedOne ? [fixedOne] : [] }, { candidates: 'fixed' }],
  ['one of each', { fixed: fixedOne ? [fixedOne] : [], stored: bound({ a: [] }) }, { candidates: 'fixed a' }],
  ['one that is about something else', { stored: bound({ a: [rule('apps', '*')] }) }, { candidates: '', others: 'a' }],
  ['both, and others', everybody, { candidates: 'fixed stored', others: 'other-fixed other-stored' }],
  [
    'about policies those of files alone',
    { ...everybody, of: ofPolicies },
    { candidates: '', others: 'fixed other-fixed', exempt: 'other-stored stored' },
  ],
  ['about policies one that is stored', { stored: some, of: ofPolicies }, { candidates: '', exempt: namesOf(some) }],
  [
    'about reviews none',
    { ...everybody, of: reviews },
    { candidates: '', exempt: 'fixed other-fixed other-stored stored' },
  ],
])('asked is: %s', (_fact, { fixed = [], stored = [], of = pods }, { candidates, others = '', exempt = '' }) => {
  const current = { fixed: () => indexHooks(fixed), stored: () => indexHooks(stored) };
  const request = { ...creating(object('v1', 'Pod', 'p'), 'pods'), resource: of };
  const found = chooseHooks(current, request, { phase: 'mutating', round: 1 }, ports);
  expect(namesOf(found.candidates)).toBe(candidates);
  const { unmatched } = found;
  const reported = unmatched && { ...unmatched, hooks: namesOf(unmatched.hooks), exempt: namesOf(unmatched.exempt) };
  const record = { type: 'unmatched-policies', phase: 'mutating', round: 1, request, at: epoch, hooks: others, exempt };
  expect(reported).toEqual(others + exempt === '' ? undefined : record);
});
