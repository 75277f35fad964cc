import { expect, test } from 'vitest';
import type { AdmissionAttributes } from '../../../../src/apiserver/admission/chain/attributes.ts';
import { ownerReferencesPermissionEnforcement } from '../../../../src/apiserver/admission/plugins/owner-references-permission-enforcement.ts';
import { type KubernetesObject, type OwnerReference, withMetadata } from '../../../../src/machinery/meta/object.ts';
import { clusterOf, creating, object, portsOf } from '../../../harness/builtin-plugin.ts';

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

async function enforced(request: AdmissionAttributes, allows: (permission: string) => boolean) {
  const checked: string[] = [];
  const answer = ownerReferencesPermissionEnforcement.validate?.(request, {
    ...portsOf(clusterOf({})),
    authorize: (question) => {
      if (question.type !== 'resource') return { allowed: false, reason: '' };
      const { verb, group, resource, subresource, namespace, name } = question;
      const text = `${verb} ${resource}.${group}/${subresource} ${namespace}/${name}`;
      checked.push(text);
      return { allowed: allows(text), reason: 'why' };
    },
  });
  const value = answer?.ok ? answer.value : undefined;
  return {
    checked,
    message: value?.refusal?.message?.replace(/^.*? is forbidden: /, ''),
    may: value?.refusedBy?.field,
  };
}

const blocks = "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on";
const update = (now: KubernetesObject, old: KubernetesObject, more: Partial<AdmissionAttributes> = {}) =>
  creating(now, 'pods', { operation: 'UPDATE', oldObject: old, ...more });

// Source: kubernetes plugin/pkg/admission/gc/gc_admission_test.go
test.each<[fact: string, request: AdmissionAttributes, message: string | undefined, may: string | undefined]>([
  ['no owner', creating(owned(), 'pods'), undefined, undefined],
  [
    'an owner whose deletion is not blocked',
    creating(owned(owner('a', { blockOwnerDeletion: false })), 'pods'),
    undefined,
    undefined,
  ],
  [
    'two owners whose deletion is blocked: the first',
    creating(owned(owner('a'), owner('b')), 'pods'),
    `${blocks}: why, <nil>`,
    'update deployments.apps/a --subresource=finalizers',
  ],
  [
    'a cluster-scoped owner',
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
    'a new owner of an object that the user may not delete',
    update(owned(owner('a')), owned()),
    "cannot set an ownerRef on a resource you can't delete: why, <nil>",
    'delete pods/p',
  ],
  [
    'a new owner beside one whose deletion was blocked before',
    update(owned(owner('a'), owner('b', { blockOwnerDeletion: false })), owned(owner('a'))),
    "cannot set an ownerRef on a resource you can't delete: why, <nil>",
    'delete pods/p',
  ],
  ['the same owners', update(owned(owner('a')), owned(owner('a'))), undefined, undefined],
  ['the status of a Pod', update(owned(owner('a')), owned(), { subresource: 'status' }), undefined, undefined],
  [
    'the status of another resource named pods',
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
])('without permissions: %s', async (_fact, request, message, may) => {
  const result = await enforced(request, () => false);
  expect([result.message, result.may]).toEqual([message, may]);
});

test('checks permissions in the namespace of each owner, delete first', async () => {
  const both = creating(owned(owner('a'), owner('n', { apiVersion: 'v1', kind: 'Node' })), 'pods');
  expect((await enforced(both, () => true)).checked).toEqual(['update *.*/finalizers /*']);
  expect((await enforced(both, (text) => !text.includes('*'))).checked).toEqual([
    'update *.*/finalizers /*',
    'update deployments.apps/finalizers ns/a',
    'update nodes./finalizers /n',
  ]);
  const before = owned(owner('a'));
  const { checked, may } = await enforced(update(owned(owner('b'), owner('a')), before), (text) =>
    text.startsWith('delete'),
  );
  expect([checked, may]).toEqual([
    ['delete pods./ ns/p', 'update *.*/finalizers /*', 'update deployments.apps/finalizers ns/b'],
    'update deployments.apps/b --subresource=finalizers',
  ]);
});
