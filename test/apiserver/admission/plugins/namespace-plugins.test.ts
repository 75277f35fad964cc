import { expect, test } from 'vitest';
import type { AdmissionAttributes } from '../../../../src/apiserver/admission/chain/attributes.ts';
import {
  namespaceAutoProvision,
  namespaceExists,
} from '../../../../src/apiserver/admission/plugins/namespace-plugins.ts';
import { ownerReferencesPermissionEnforcement } from '../../../../src/apiserver/admission/plugins/owner-references-permission-enforcement.ts';
import { createPodNodeSelector } from '../../../../src/apiserver/admission/plugins/pod-node-selector.ts';
import { priority } from '../../../../src/apiserver/admission/plugins/priority.ts';
import type { JsonObject, JsonValue } from '../../../../src/machinery/json/json.ts';
import { type KubernetesObject, type OwnerReference, withMetadata } from '../../../../src/machinery/meta/object.ts';
import { ok, refuse } from '../../../../src/machinery/meta/result.ts';
import { alreadyExists, plainError, type Status } from '../../../../src/machinery/meta/status.ts';
import { clusterOf, creating, object, outcomeOf, portsOf, refusalOf } from '../../../harness/builtin-plugin.ts';

const there = { namespaces: [object('v1', 'Namespace', 'ns')] };
const pod = (fields: Partial<AdmissionAttributes> = {}): AdmissionAttributes =>
  creating(object('v1', 'Pod', 'p'), 'pods', fields);
const namespaceKind = { group: '', version: 'v1', kind: 'Namespace' };

// Source: kubernetes plugin/pkg/admission/namespace/{exists,autoprovision}/admission_test.go
test.each<[fact: string, request: AdmissionAttributes, isMissing: boolean]>([
  ['what is in a namespace that is there', pod(), false],
  ['what is in none', pod({ namespace: '' }), false],
  ['what is in another', pod({ namespace: 'other' }), true],
  ['the namespace itself', pod({ namespace: 'other', kind: namespaceKind }), false],
  ["another group's Namespace", pod({ namespace: 'other', kind: { ...namespaceKind, group: 'x' } }), true],
  ['another kind of the core group', pod({ namespace: 'other', kind: { ...namespaceKind, kind: 'Node' } }), true],
])('%s', async (_fact, request, isMissing) => {
  const cluster = clusterOf(there);
  const missing = `namespaces "${request.namespace}" not found`;
  expect(outcomeOf(namespaceExists, 'validate', { request, cluster, path: ['kind'] })).toBe(
    isMissing ? missing : 'Pod',
  );
  const made: unknown[] = [];
  await namespaceAutoProvision.mutate?.(request, {
    ...portsOf(cluster),
    api: async ({ method, path, body }) => {
      made.push([method, path, body]);
      return ok({});
    },
  });
  const body = { kind: 'Namespace', apiVersion: 'v1', metadata: { name: request.namespace } };
  expect(made).toEqual(isMissing ? [['POST', '/api/v1/namespaces', body]] : []);
});

test.each<[fact: string, status: Status | undefined, dryRun: boolean, refusal: string | undefined]>([
  ['one that is made', undefined, false, undefined],
  ['one that somebody else has made', alreadyExists({ group: '', resource: 'namespaces' }, 'other'), false, undefined],
  ['one that cannot be made', plainError('no'), false, 'pods "p" is forbidden: no'],
  ['one that is not to be made', plainError('no'), true, undefined],
])('a namespace for a Pod: %s', async (_fact, status, dryRun, refusal) => {
  const ports = { ...portsOf(clusterOf(there)), api: async () => (status ? refuse(status) : ok({})) };
  const answer = await namespaceAutoProvision.mutate?.(pod({ namespace: 'other', dryRun }), ports);
  expect(refusalOf(answer)?.message).toBe(refusal);
});

const owner = (name: string, more: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  name,
  uid: `u-${name}`,
  blockOwnerDeletion: true,
  ...more,
});
const owned = (...refs: readonly OwnerReference[]): KubernetesObject =>
  withMetadata(object('v1', 'Pod', 'p'), { ownerReferences: [...refs] });

async function enforced(request: AdmissionAttributes, allows: (asked: string) => boolean) {
  const asked: string[] = [];
  const answer = await ownerReferencesPermissionEnforcement.validate?.(request, {
    ...portsOf(clusterOf({})),
    authorize: async (question) => {
      if (question.type !== 'resource') return { allowed: false, reason: '' };
      const { verb, group, resource, subresource, namespace, name } = question;
      const text = `${verb} ${resource}.${group}/${subresource} ${namespace}/${name}`;
      asked.push(text);
      return { allowed: allows(text), reason: 'why' };
    },
  });
  const value = answer?.ok ? answer.value : undefined;
  return { asked, message: value?.refusal?.message?.replace(/^.*? is forbidden: /, ''), may: value?.refusedBy?.field };
}

const nobody = (): boolean => false;
const blocks = "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on";
const update = (now: KubernetesObject, old: KubernetesObject, more: Partial<AdmissionAttributes> = {}) =>
  creating(now, 'pods', { operation: 'UPDATE', oldObject: old, ...more });

// Source: kubernetes plugin/pkg/admission/gc/gc_admission_test.go
test.each<[fact: string, request: AdmissionAttributes, message: string | undefined, may: string | undefined]>([
  ['no owner', creating(owned(), 'pods'), undefined, undefined],
  [
    'an owner that is not held up',
    creating(owned(owner('a', { blockOwnerDeletion: false })), 'pods'),
    undefined,
    undefined,
  ],
  [
    'owners that are held up: the first is told',
    creating(owned(owner('a'), owner('b')), 'pods'),
    `${blocks}: why, <nil>`,
    'update deployments.apps/a --subresource=finalizers',
  ],
  [
    'an owner outside of namespaces',
    creating(owned(owner('n', { apiVersion: 'v1', kind: 'Node' })), 'pods'),
    `${blocks}: why, <nil>`,
    'update nodes/n --subresource=finalizers',
  ],
  [
    'an owner of a kind that is not served',
    creating(owned(owner('a', { kind: 'Nothing' })), 'pods'),
    'cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion apps/v1 Kind Nothing: no matches for kind "Nothing" in version "apps/v1"',
    'update finalizers of Nothing, a kind that is not served',
  ],
  [
    'an owner whose kind is in lower case',
    creating(owned(owner('a', { kind: 'deployment' })), 'pods'),
    `${blocks}: why, <nil>`,
    'update deployments.apps/a --subresource=finalizers',
  ],
  [
    'an owner that is a list',
    creating(owned(owner('a', { kind: 'DeploymentList' })), 'pods'),
    `${blocks}: why, <nil>`,
    'update deploymentlists.apps/a --subresource=finalizers',
  ],
  [
    'a new owner of what may not be deleted',
    update(owned(owner('a')), owned()),
    "cannot set an ownerRef on a resource you can't delete: why, <nil>",
    'delete pods/p',
  ],
  ['the same owners', update(owned(owner('a')), owned(owner('a'))), undefined, undefined],
  ['the status of a Pod', update(owned(owner('a')), owned(), { subresource: 'status' }), undefined, undefined],
  [
    'the status of what is no Pod',
    {
      ...update(owned(owner('a')), owned(), { subresource: 'status' }),
      resource: { group: 'apps', version: 'v1', resource: 'pods' },
    },
    "cannot set an ownerRef on a resource you can't delete: why, <nil>",
    'delete pods.apps/p',
  ],
  [
    'the scale of a Pod',
    update(owned(owner('a')), owned(), { subresource: 'scale' }),
    "cannot set an ownerRef on a resource you can't delete: why, <nil>",
    'delete pods/p',
  ],
])('owners, of whom nothing is allowed: %s', async (_fact, request, message, may) => {
  const said = await enforced(request, nobody);
  expect([said.message, said.may]).toEqual([message, may]);
});

test('what is asked of an owner is asked where it lives', async () => {
  const both = creating(owned(owner('a'), owner('n', { apiVersion: 'v1', kind: 'Node' })), 'pods');
  expect((await enforced(both, () => true)).asked).toEqual(['update *.*/finalizers /*']);
  expect((await enforced(both, (text) => !text.includes('*'))).asked).toEqual([
    'update *.*/finalizers /*',
    'update deployments.apps/finalizers ns/a',
    'update nodes./finalizers /n',
  ]);
  const before = owned(owner('a'));
  const { asked, may } = await enforced(update(owned(owner('b'), owner('a')), before), (text) =>
    text.startsWith('delete'),
  );
  expect([asked, may]).toEqual([
    ['delete pods./ ns/p', 'update *.*/finalizers /*', 'update deployments.apps/finalizers ns/b'],
    'update deployments.apps/b --subresource=finalizers',
  ]);
});

const priorityClass = (name: string, value: number | undefined, fields: JsonObject = {}): KubernetesObject => ({
  ...object('scheduling.k8s.io/v1', 'PriorityClass', name, fields),
  ...(value === undefined ? {} : { value }),
});
const classes = (...all: readonly KubernetesObject[]) => ({ 'priorityclasses.scheduling.k8s.io': all });
const byDefault = { globalDefault: true };
const asked = (spec: JsonObject): AdmissionAttributes => creating(object('v1', 'Pod', 'p', { spec }), 'pods');
const given = (priorityClassName: string, value: number): JsonObject => ({ priorityClassName, priority: value });

// Source: kubernetes plugin/pkg/admission/priority/admission_test.go
test.each<[fact: string, stored: readonly KubernetesObject[], spec: JsonObject, expected: JsonValue | undefined]>([
  ['no class', [], {}, { priority: 0, preemptionPolicy: 'PreemptLowerPriority' }],
  ['the default', [priorityClass('d', 5, byDefault)], {}, given('d', 5)],
  ['no default', [priorityClass('c', 5)], {}, { priority: 0, preemptionPolicy: 'PreemptLowerPriority' }],
  [
    'the lowest of several defaults',
    [priorityClass('a', 7, byDefault), priorityClass('b', 3, byDefault), priorityClass('c', 5, byDefault)],
    {},
    given('b', 3),
  ],
  [
    'one without a value',
    [priorityClass('a', 1, byDefault), priorityClass('b', undefined, byDefault)],
    {},
    given('b', 0),
  ],
  [
    'the class of the Pod',
    [priorityClass('a', 7), priorityClass('d', 5, byDefault)],
    { priorityClassName: 'a' },
    given('a', 7),
  ],
  ['the value that it says', [priorityClass('a', 7)], { priorityClassName: 'a', priority: 7 }, given('a', 7)],
  [
    'another value',
    [priorityClass('a', 7)],
    { priorityClassName: 'a', priority: 6 },
    'pods "p" is forbidden: the integer value of priority (6) must not be provided in pod spec; priority admission controller computed 7 from the given PriorityClass name',
  ],
  [
    'a policy of the class',
    [priorityClass('a', 7, { preemptionPolicy: 'Never' })],
    { priorityClassName: 'a' },
    { ...given('a', 7), preemptionPolicy: 'Never' },
  ],
  [
    'another policy',
    [priorityClass('a', 7, { preemptionPolicy: 'Never' })],
    { priorityClassName: 'a', preemptionPolicy: 'PreemptLowerPriority' },
    'pods "p" is forbidden: the string value of PreemptionPolicy (PreemptLowerPriority) must not be provided in pod spec; priority admission controller computed Never from the given PriorityClass name',
  ],
  [
    'a policy where the class has none',
    [priorityClass('a', 7)],
    { priorityClassName: 'a', preemptionPolicy: 'Never' },
    { ...given('a', 7), preemptionPolicy: 'Never' },
  ],
  [
    'a class that is not there',
    [],
    { priorityClassName: 'a' },
    'pods "p" is forbidden: no PriorityClass with name a was found',
  ],
])('a priority by %s', (_fact, stored, spec, expected) => {
  const outcome = outcomeOf(priority, 'mutate', {
    request: asked(spec),
    cluster: clusterOf(classes(...stored)),
    path: ['spec'],
  });
  expect(outcome).toEqual(expected);
});

test.each<[spec: JsonObject, old: JsonObject, now: JsonObject]>([
  [{}, { priority: 7, preemptionPolicy: 'Never' }, { priority: 7, preemptionPolicy: 'Never' }],
  [{}, { priority: 7 }, { priority: 7 }],
  [{ priority: 8 }, { priority: 7, preemptionPolicy: 'Never' }, { priority: 8, preemptionPolicy: 'Never' }],
  [{ priority: 8 }, { priority: 7 }, { priority: 8 }],
  [{}, {}, {}],
])('an update of %j, where %j was, is %j', (spec, old, now) => {
  const request = { ...asked(spec), operation: 'UPDATE' as const, oldObject: object('v1', 'Pod', 'p', { spec: old }) };
  expect(outcomeOf(priority, 'mutate', { request, cluster: clusterOf({}), path: ['spec'] })).toEqual(now);
});

const selecting = createPodNodeSelector(new Map([['ns', 'a=1,b=2,c=3']]));
const free = createPodNodeSelector(new Map());
const said = (selector: string) => ({
  namespaces: [
    withMetadata(object('v1', 'Namespace', 'ns'), {
      annotations: { 'scheduler.alpha.kubernetes.io/node-selector': selector },
    }),
  ],
});
const conflicting = 'pods "p" is forbidden: pod node label selector conflicts with its namespace node label selector';
const notListed = 'pods "p" is forbidden: pod node label selector labels conflict with its namespace whitelist';

// Source: kubernetes plugin/pkg/admission/podnodeselector/admission_test.go
test.each<
  [plugin: typeof free, selector: string, nodeSelector: JsonObject | undefined, expected: JsonValue | undefined]
>([
  [free, '', undefined, undefined],
  [free, 'b=2,a=1', undefined, { a: '1', b: '2' }],
  [free, ' b = 2 ', { a: '1' }, { a: '1', b: '2' }],
  [free, 'a=1,b=2', { b: '2' }, { a: '1', b: '2' }],
  [free, 'a=1,b=2', { b: '3' }, conflicting],
  [free, 'a=1,b=2', { a: '3', b: '2' }, conflicting],
  [free, 'a=1,b,c,d=4', undefined, 'invalid selector: [b]'],
  [free, 'a=b=c', undefined, 'invalid selector: [a b c]'],
  [selecting, 'a=1', { b: '2' }, { a: '1', b: '2' }],
  [selecting, 'a=1', { b: '3' }, notListed],
  [selecting, 'a=1', { b: '2', x: '1' }, notListed],
])('%#: a namespace that wants %j and a Pod that wants %j', (plugin, selector, nodeSelector, expected) => {
  const request = asked(nodeSelector === undefined ? {} : { nodeSelector });
  const outcome = outcomeOf(plugin, 'mutate', {
    request,
    cluster: clusterOf(said(selector)),
    path: ['spec', 'nodeSelector'],
  });
  expect(JSON.stringify(outcome)).toBe(JSON.stringify(expected));
});
