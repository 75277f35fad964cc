import { expect, test } from 'vitest';
import type { AdmissionAttributes } from '../../../../../src/apiserver/admission/chain/attributes.ts';
import { mirrorPodFault } from '../../../../../src/apiserver/admission/plugins/service-account/service-account.ts';
import {
  forbiddenLabels,
  nodeRestriction,
} from '../../../../../src/apiserver/admission/plugins/node-restriction/node-restriction.ts';
import { podFault } from '../../../../../src/apiserver/admission/plugins/node-restriction/node-pods.ts';
import { loadRelease } from '../../../../../src/api/release/load-release.ts';
import type { JsonObject } from '../../../../../src/machinery/json/json.ts';
import { type KubernetesObject, withMetadata } from '../../../../../src/machinery/meta/object.ts';
import { clusterOf, creating, object, portsOf, refusalOf } from '../../../../harness/builtin-plugin.ts';
import { certificateRequest } from '../../../../harness/certificate-request.ts';

const pod = (fields: JsonObject, metadata: JsonObject = {}): KubernetesObject =>
  withMetadata(object('v1', 'Pod', 'p', { spec: { nodeName: 'n' }, ...fields }), { namespace: 'ns', ...metadata });
const owner = { apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u', controller: true };
const mirror = (metadata: JsonObject = {}, fields: JsonObject = {}): KubernetesObject =>
  pod(fields, { annotations: { 'kubernetes.io/config.mirror': 'x' }, ownerReferences: [owner], ...metadata });

const here = { nodes: [withMetadata(object('v1', 'Node', 'n'), { uid: 'u' })], pods: [pod({})] };
const elsewhere = { ...here, pods: [pod({ spec: { nodeName: 'm' } })] };

function faultOf(request: Partial<AdmissionAttributes>, stored: Parameters<typeof clusterOf>[0] = here, over = {}) {
  const ports = { ...portsOf(clusterOf(stored)), ...over };
  const fault = podFault('n', { ...creating(pod({}), 'pods'), ...request }, ports);
  return typeof fault === 'object' ? fault.message : fault;
}

const statusUpdate = (now: KubernetesObject, old: KubernetesObject) =>
  ({ operation: 'UPDATE', subresource: 'status', object: now, oldObject: old }) as const;
const eviction = { operation: 'CREATE', subresource: 'eviction' } as const;
const evicting = object('policy/v1', 'Eviction', 'p');
const only = (what: string): string => `node "n" can only create pods with ${what}`;

// Source: kubernetes plugin/pkg/admission/noderestriction/admission_test.go
test.each<[fact: string, request: Partial<AdmissionAttributes>, stored: typeof here, fault: string | undefined]>([
  ['a mirror pod of its own', { object: mirror() }, here, undefined],
  [
    'a pod that is no mirror',
    { object: pod({}) },
    here,
    'pod does not have "kubernetes.io/config.mirror" annotation, node "n" can only create mirror pods',
  ],
  [
    'a mirror pod of another node',
    { object: mirror({}, { spec: { nodeName: 'm' } }) },
    here,
    only('spec.nodeName set to itself'),
  ],
  ['one without an owner', { object: mirror({ ownerReferences: [] }) }, here, only('an owner reference set to itself')],
  [
    'one with two owners',
    { object: mirror({ ownerReferences: [owner, owner] }) },
    here,
    only('a single owner reference set to itself'),
  ],
  ...['apiVersion', 'kind', 'name'].map((field): [string, object, typeof here, string] => [
    `one whose owner has another ${field}`,
    { object: mirror({ ownerReferences: [{ ...owner, [field]: 'x' }] }) },
    here,
    only('an owner reference set to itself'),
  ]),
  [
    'one whose owner is no controller',
    { object: mirror({ ownerReferences: [{ ...owner, controller: false }] }) },
    here,
    only('a controller owner reference set to itself'),
  ],
  [
    'one that blocks the deletion of its node',
    { object: mirror({ ownerReferences: [{ ...owner, blockOwnerDeletion: true }] }) },
    here,
    'node "n" must not set blockOwnerDeletion on an owner reference',
  ],
  [
    'one that says it does not',
    { object: mirror({ ownerReferences: [{ ...owner, blockOwnerDeletion: false }] }) },
    here,
    undefined,
  ],
  ['one of a node that is not there', { object: mirror() }, { ...here, nodes: [] }, 'node "n" not found'],
  [
    'one of an earlier node',
    { object: mirror({ ownerReferences: [{ ...owner, uid: 'old' }] }) },
    here,
    'node n UID mismatch: expected old got u',
  ],
  ['the deletion of its own', { operation: 'DELETE', object: null, name: 'p' }, here, undefined],
  [
    "the deletion of another's",
    { operation: 'DELETE', object: null, name: 'p' },
    elsewhere,
    'node "n" can only delete pods with spec.nodeName set to itself',
  ],
  ['the deletion of what is not there', { operation: 'DELETE', object: null, name: 'q' }, here, 'pod "q" not found'],
  ['the eviction of its own', { ...eviction, object: evicting, name: 'p' }, here, undefined],
  ['an eviction that names the pod in its body', { ...eviction, object: evicting, name: '' }, here, undefined],
  [
    "the eviction of another's",
    { ...eviction, object: evicting, name: 'p' },
    elsewhere,
    'node n can only evict pods with spec.nodeName set to itself',
  ],
  [
    'an update',
    { operation: 'UPDATE' },
    here,
    'unexpected operation "UPDATE", node "n" can only create and delete mirror pods',
  ],
  [
    'another subresource',
    { operation: 'UPDATE', subresource: 'resize' },
    here,
    "unexpected pod subresource \"resize\", only 'status' and 'eviction' are allowed",
  ],
  [
    'the deletion of a status',
    { operation: 'DELETE', subresource: 'status' },
    here,
    "unexpected pod subresource \"status\", only 'status' and 'eviction' are allowed",
  ],
  ['the status of its own', statusUpdate(pod({ status: { phase: 'Running' } }), pod({})), here, undefined],
  [
    "the status of another's",
    statusUpdate(pod({}), pod({ spec: { nodeName: 'm' } })),
    here,
    'node "n" can only update pod status for pods with spec.nodeName set to itself',
  ],
  [
    'labels through its status',
    statusUpdate(pod({}, { labels: { a: '2' } }), pod({}, { labels: { a: '1' } })),
    here,
    'node "n" cannot update labels through pod status',
  ],
  [
    'a label more',
    statusUpdate(pod({}, { labels: { a: '1' } }), pod({})),
    here,
    'node "n" cannot update labels through pod status',
  ],
  [
    'the same labels in another order',
    statusUpdate(pod({}, { labels: { a: '1', b: '2', c: '3' } }), pod({}, { labels: { c: '3', a: '1', b: '2' } })),
    here,
    undefined,
  ],
  [
    'its claims through its status',
    statusUpdate(pod({ status: { resourceClaimStatuses: [{ name: 'a' }] } }), pod({ status: {} })),
    here,
    'node "n" cannot update resource claim statues',
  ],
])('a node asks for %s', (_fact, request, stored, fault) => {
  expect(faultOf(request, stored)).toBe(fault);
});

// Source: the same file of 1.37
test('since 1.37 a node may not change what of a claim is node allocatable', async () => {
  const { codec } = await loadRelease('1.37');
  const status = { nodeAllocatableResourceClaimStatuses: [{ resourceClaimName: 'a' }] };
  const update = statusUpdate(pod({ status }), pod({ status: {} }));
  expect(faultOf(update, here, { codec })).toBe('node "n" cannot update node allocatable resource claim statuses');
  expect(faultOf(update)).toBeUndefined();
});

const own = 'kubernetes.io/os';

// Source: kubernetes plugin/pkg/admission/noderestriction/admission.go getModifiedLabels, isForbiddenLabel; kubelet pkg/apis/well_known_labels.go
test.each<[labels: Record<string, string>, old: Record<string, string>, forbidden: readonly string[]]>([
  [{ a: '1', 'x/a': '1' }, {}, []],
  [{ [own]: '1', 'topology.kubernetes.io/zone': 'z', 'kubernetes.io/hostname': 'h' }, {}, []],
  [{ 'kubernetes.io/other': '1' }, {}, ['kubernetes.io/other']],
  [{ 'k8s.io/a': '1' }, {}, ['k8s.io/a']],
  [{ 'b.k8s.io/a': '1', 'a.kubernetes.io/a': '1' }, {}, ['a.kubernetes.io/a', 'b.k8s.io/a']],
  [{ 'notk8s.io/a': '1', 'notkubernetes.io/a': '1' }, {}, []],
  [{ 'kubelet.kubernetes.io/a': '1', 'x.kubelet.kubernetes.io/a': '1' }, {}, []],
  [{ 'node.kubernetes.io/a': '1', 'x.node.kubernetes.io/a': '1' }, {}, []],
  [
    { 'node-restriction.kubernetes.io/a': '1', 'x.node-restriction.kubernetes.io/b': '1' },
    {},
    ['node-restriction.kubernetes.io/a', 'x.node-restriction.kubernetes.io/b'],
  ],
  [{ 'k8s.io/a': '1' }, { 'k8s.io/a': '1' }, []],
  [{ 'k8s.io/a': '2' }, { 'k8s.io/a': '1' }, ['k8s.io/a']],
  [{}, { 'k8s.io/a': '1' }, ['k8s.io/a']],
  [{ 'k8s.io/a': '' }, {}, []],
])('of the labels %j instead of %j a node may not change %j', (labels, old, forbidden) => {
  expect(forbiddenLabels(labels, old)).toEqual(forbidden);
});

const secrets = 'a mirror pod may not reference secrets';
const accounts = 'a mirror pod may not reference service accounts';
const tokens = 'a mirror pod may not use ServiceAccountToken volume projections';
const inVolume = (volume: JsonObject): JsonObject => ({
  volumes: [
    { name: 'a', emptyDir: {} },
    { name: 'v', ...volume },
  ],
});
const inEnv = (valueFrom: JsonObject): JsonObject => ({
  env: [
    { name: 'A', value: '1' },
    { name: 'B', valueFrom },
  ],
});
const fromSecret = inEnv({ secretKeyRef: { name: 's', key: 'k' } });

// Source: kubernetes plugin/pkg/admission/serviceaccount/admission_test.go, pkg/api/pod/util_test.go TestVisitPodSecretNames
test.each<[spec: JsonObject, fault: string | undefined]>([
  [{}, undefined],
  [{ serviceAccountName: '' }, undefined],
  [{ serviceAccountName: 's' }, accounts],
  [{ imagePullSecrets: [] }, undefined],
  [{ imagePullSecrets: [{ name: 's' }] }, secrets],
  [{ containers: [{}, fromSecret] }, secrets],
  [{ initContainers: [{}, fromSecret] }, secrets],
  [{ ephemeralContainers: [{}, fromSecret] }, secrets],
  [{ containers: [inEnv({ configMapKeyRef: { name: 'c', key: 'k' } })] }, undefined],
  [{ containers: [{ envFrom: [{ configMapRef: { name: 'c' } }] }] }, undefined],
  [{ containers: [{ envFrom: [{ configMapRef: { name: 'c' } }, { secretRef: { name: 's' } }] }] }, secrets],
  [inVolume({ configMap: { name: 'c' } }), undefined],
  [inVolume({ secret: { secretName: 's' } }), secrets],
  [inVolume({ csi: { driver: 'd' } }), undefined],
  [inVolume({ csi: { driver: 'd', nodePublishSecretRef: { name: 's' } } }), secrets],
  [inVolume({ projected: { sources: [{ configMap: {} }, { secret: { name: 's' } }] } }), secrets],
  [inVolume({ projected: { sources: [{ configMap: {} }, { downwardAPI: {} }] } }), undefined],
  [inVolume({ projected: { sources: [{ configMap: {} }, { serviceAccountToken: { path: 't' } }] } }), tokens],
])('a mirror pod of %j', (spec, fault) => {
  expect(mirrorPodFault({ containers: [], ...spec })).toBe(fault);
});

const userInfo = { username: 'system:node:n', uid: '', groups: ['system:nodes'], extra: {} };

async function said(
  resource: string,
  request: Partial<AdmissionAttributes>,
  stored: Parameters<typeof clusterOf>[0] = {},
) {
  const [plural = '', ...group] = resource.split('.');
  const asked = {
    ...creating(object('v1', 'Any', 'n'), plural, { userInfo }),
    resource: { group: group.join('.'), version: 'v1', resource: plural },
    ...request,
  };
  const answer = nodeRestriction.mutate?.(asked, portsOf(clusterOf(stored)));
  const message = refusalOf(answer)?.message;
  return message?.replace(/^.*? is forbidden: /, '');
}

const nodeWith = (fields: JsonObject): KubernetesObject => object('v1', 'Node', 'n', fields);
const updated = (object: KubernetesObject | null, oldObject: KubernetesObject | null) =>
  ({ operation: 'UPDATE', name: 'n', object, oldObject }) as const;
const source = (of: string): JsonObject => ({ spec: { configSource: { of } } });
const notAllowed = 'node "n" is not allowed to';

// Source: kubernetes plugin/pkg/admission/noderestriction/admission_test.go
test.each<[fact: string, request: Partial<AdmissionAttributes>, message: string | undefined]>([
  ['makes itself', { object: nodeWith({}), name: '' }, undefined],
  ['makes another', { object: object('v1', 'Node', 'm'), name: '' }, `${notAllowed} modify node "m"`],
  ['makes another by the path', { object: nodeWith({}), name: 'm' }, `${notAllowed} modify node "m"`],
  [
    'makes itself with a source of configuration',
    { object: nodeWith(source('a')) },
    `${notAllowed} create pods with a non-nil configSource`,
  ],
  [
    'makes itself with labels',
    { object: nodeWith({ metadata: { name: 'n', labels: { 'k8s.io/b': '1', 'k8s.io/a': '1', x: '1' } } }) },
    `${notAllowed} set the following labels: k8s.io/a, k8s.io/b`,
  ],
  ['removes itself', { operation: 'DELETE', object: null, name: 'n' }, undefined],
  ['removes another', { operation: 'DELETE', object: null, name: 'm' }, `${notAllowed} modify node "m"`],
  ['says nothing new', updated(nodeWith(source('a')), nodeWith(source('a'))), undefined],
  [
    'has a new source',
    updated(nodeWith(source('b')), nodeWith(source('a'))),
    `${notAllowed} update configSource to a new non-nil configSource`,
  ],
  ['gives up its source', updated(nodeWith({}), nodeWith(source('a'))), undefined],
  [
    'changes its taints',
    updated(nodeWith({ spec: { taints: [{ key: 'a', effect: 'NoExecute' }] } }), nodeWith({})),
    `${notAllowed} modify taints`,
  ],
  ['has no taints, said otherwise', updated(nodeWith({ spec: { taints: [] } }), nodeWith({})), undefined],
])('a node that %s', async (_fact, request, message) => {
  expect(await said('nodes', { name: 'n', ...request })).toBe(message);
});

const claim = (fields: JsonObject, metadata: JsonObject = {}): KubernetesObject => ({
  ...object('v1', 'PersistentVolumeClaim', 'c', fields),
  metadata: { name: 'c', ...metadata },
});
const claimUpdate = (now: KubernetesObject, old: KubernetesObject) => ({ ...updated(now, old), subresource: 'status' });
const otherFields = (...fields: readonly string[]): string =>
  `${notAllowed} update fields other than status.quantity and status.conditions: ${fields.join(', ')}`;

test.each<[fact: string, request: Partial<AdmissionAttributes>, message: string | undefined]>([
  ['the claim itself', updated(claim({}), claim({})), 'may only update PVC status'],
  [
    'a status that is made',
    { operation: 'CREATE', subresource: 'status', object: claim({}) },
    'unexpected operation "CREATE"',
  ],
  [
    'a status that stays',
    claimUpdate(claim({ status: { phase: 'Bound' } }), claim({ status: { phase: 'Bound' } })),
    undefined,
  ],
  [
    'what it knows of the volume',
    claimUpdate(
      claim(
        {
          status: {
            capacity: { storage: '2' },
            conditions: [{}],
            allocatedResources: {},
            allocatedResourceStatuses: {},
          },
        },
        { resourceVersion: '2', managedFields: [{}] },
      ),
      claim({ status: { capacity: { storage: '1' } } }, { resourceVersion: '1' }),
    ),
    undefined,
  ],
  ['its phase', claimUpdate(claim({ status: { phase: 'Lost' } }), claim({ status: {} })), otherFields('status')],
  ['its spec', claimUpdate(claim({ spec: { volumeName: 'v' } }), claim({})), otherFields('spec')],
  [
    'its labels and its spec',
    claimUpdate(claim({ spec: { volumeName: 'v' } }, { labels: { a: '1' } }), claim({})),
    otherFields('metadata', 'spec'),
  ],
])('a node changes of a claim %s', async (_fact, request, message) => {
  expect(await said('persistentvolumeclaims', request)).toBe(message);
});

const token = (boundObjectRef: JsonObject): Partial<AdmissionAttributes> => ({
  subresource: 'token',
  name: 's',
  object: object('authentication.k8s.io/v1', 'TokenRequest', '', { spec: { boundObjectRef } }),
});
const ref = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' };
const running = (nodeName: string, uid = 'u') => ({ pods: [pod({ spec: { nodeName } }, { uid })] });
const unbound = 'node requested token not bound to a pod';

test.each<[ref: JsonObject, stored: Parameters<typeof clusterOf>[0], message: string | undefined]>([
  [ref, running('n'), undefined],
  [{ ...ref, apiVersion: 'v2' }, running('n'), unbound],
  [{ ...ref, kind: 'Secret' }, running('n'), unbound],
  [{ ...ref, name: '' }, running('n'), unbound],
  [{ ...ref, uid: '' }, running('n'), 'node requested token with a pod binding without a uid'],
  [ref, {}, 'pod "p" not found'],
  [
    ref,
    running('n', 'new'),
    'the UID in the bound object reference (u) does not match the UID in record. The object might have been deleted and then recreated',
  ],
  [ref, running('m'), 'node requested token bound to a pod scheduled on a different node'],
])('a node asks for a token bound to %j where there is %j', async (bound, stored, message) => {
  expect(await said('serviceaccounts', token(bound), stored)).toBe(message);
});

test('of ServiceAccounts it is asked about tokens alone', async () => {
  expect(await said('serviceaccounts', { ...token({}), subresource: '' })).toBeUndefined();
  expect(await said('serviceaccounts', { ...token({}), operation: 'UPDATE' })).toBeUndefined();
});

const leases = 'leases.coordination.k8s.io';
const inLeases = { namespace: 'kube-node-lease' };
const otherName = { ...inLeases, object: object('v1', 'Lease', 'm'), name: 'm' };
const wrongLease = 'can only access node lease with the same name as the requesting node';
const wrongNode = 'can only access CSINode with the same name as the requesting node';
const slice = (nodeName: string): KubernetesObject => object('v1', 'ResourceSlice', 's', { spec: { nodeName } });
const wrongSlice = (verb: string): string =>
  `can only ${verb} ResourceSlice with the same NodeName as the requesting node`;
const slices = 'resourceslices.resource.k8s.io';

test.each<[what: string, request: Partial<AdmissionAttributes>, message: string | undefined]>([
  [leases, inLeases, undefined],
  [leases, { ...inLeases, operation: 'DELETE', object: null, name: 'n' }, undefined],
  [leases, { namespace: 'default' }, 'can only access leases in the "kube-node-lease" system namespace'],
  [leases, otherName, wrongLease],
  [leases, { ...inLeases, operation: 'UPDATE', name: 'm' }, wrongLease],
  [leases, { ...inLeases, name: 'm' }, undefined],
  ['csinodes.storage.k8s.io', {}, undefined],
  ['csinodes.storage.k8s.io', otherName, wrongNode],
  [
    'csinodes.storage.k8s.io',
    { operation: 'UPDATE', name: 'n', subresource: 'status' },
    'CSIVolumeHealth feature gate is disabled',
  ],
  [slices, { object: slice('n') }, undefined],
  [slices, { object: slice('m') }, wrongSlice('create')],
  [slices, { operation: 'UPDATE', object: slice('m'), oldObject: slice('m') }, undefined],
  [slices, { operation: 'DELETE', object: null, oldObject: slice('n') }, undefined],
  [slices, { operation: 'DELETE', object: null, oldObject: slice('m') }, wrongSlice('delete')],
  ['configmaps', {}, undefined],
])('a node asks of %s for %j', async (what, request, message) => {
  expect(await said(what, request)).toBe(message);
});

const csr = 'certificatesigningrequests.certificates.k8s.io';
const signing = (request: string): KubernetesObject =>
  object('certificates.k8s.io/v1', 'CertificateSigningRequest', 'r', {
    spec: { signerName: 'kubernetes.io/kubelet-serving', request },
  });

test('a request for a certificate is looked at when it is made, and must be one', async () => {
  expect(await said(csr, { object: signing(certificateRequest) })).toContain('CN=system:node:n');
  expect(await said(csr, { object: signing(certificateRequest), operation: 'UPDATE' })).toBeUndefined();
  expect(await said(csr, { object: signing(certificateRequest), subresource: 'status' })).toBeUndefined();
  expect(await said(csr, { object: signing('eA==') })).toMatch(/^unable to parse csr: /);
});

test('a node without a name is refused', async () => {
  const nameless = { ...userInfo, username: 'system:node:' };
  const request = creating(nodeWith({}), 'nodes', { userInfo: nameless });
  const answer = nodeRestriction.mutate?.(request, portsOf(clusterOf({})));
  const refusedBy = answer?.ok === true ? answer.value.refusedBy : undefined;
  expect(refusalOf(answer)?.message).toContain('could not determine node from user "system:node:"');
  expect(refusedBy).toMatchObject({ allowed: 'system:node:NAME as the user' });
});
