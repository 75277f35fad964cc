import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../../src/machinery/meta/object.ts';
import { createBootstrapRbac } from '../../../src/apiserver/auth/bootstrap-rbac.ts';
import { createNodeAuthorizer } from '../../../src/apiserver/auth/node/node-authorizer.ts';
import type { ResourceQuestion } from '../../../src/apiserver/auth/authorizer.ts';
import { clusterOf, object } from '../../harness/builtin-plugin.ts';
import { recordedRelease } from '../../harness/recorded-release.ts';

const placed = (name: string, spec: Readonly<Record<string, object | string>>, annotations = {}): KubernetesObject => ({
  ...object('v1', 'Pod', name),
  metadata: { name, namespace: 'ns', annotations },
  spec: JSON.parse(JSON.stringify({ nodeName: 'n1', ...spec })),
});
const cluster = clusterOf({
  pods: [
    placed('p', {
      volumes: [
        { name: 'a', persistentVolumeClaim: { claimName: 'claim' } },
        { name: 'b', projected: { sources: [{ configMap: { name: 'projected' } }] } },
        { name: 'c', ephemeral: {} },
      ],
      containers: [{ env: [{ valueFrom: { secretKeyRef: { name: 'env' } } }] }],
    }),
    placed('of-account', { serviceAccountName: 'runs' }),
    placed('elsewhere', { nodeName: 'n2', serviceAccountName: 'runs-elsewhere' }),
    placed('m', { imagePullSecrets: [{ name: 'mirrored' }] }, { 'kubernetes.io/config.mirror': 'x' }),
  ],
  'volumeattachments.storage.k8s.io': ['n1', 'n2'].map((nodeName) => ({
    ...object('storage.k8s.io/v1', 'VolumeAttachment', `of-${nodeName}`),
    spec: { nodeName },
  })),
  persistentvolumes: [
    {
      ...object('v1', 'PersistentVolume', 'volume'),
      spec: {
        claimRef: { namespace: 'ns', name: 'claim' },
        csi: {
          nodeStageSecretRef: { namespace: 'csi', name: 'staged' },
          controllerPublishSecretRef: { namespace: 'csi', name: 'published' },
        },
      },
    },
    {
      ...object('v1', 'PersistentVolume', 'block'),
      spec: { claimRef: { namespace: 'ns', name: 'claim' }, iscsi: { secretRef: { name: 'chap' } } },
    },
    {
      ...object('v1', 'PersistentVolume', 'unused'),
      spec: { claimRef: { namespace: 'ns', name: 'other' }, iscsi: { secretRef: { name: 'unused' } } },
    },
  ],
  'resourceslices.resource.k8s.io': ['n1', 'n2'].map((nodeName) => ({
    ...object('resource.k8s.io/v1', 'ResourceSlice', `of-${nodeName}`),
    spec: { nodeName },
  })),
  'podcertificaterequests.certificates.k8s.io': ['n1', 'n2'].map((nodeName) => ({
    ...object('certificates.k8s.io/v1beta1', 'PodCertificateRequest', `of-${nodeName}`),
    metadata: { name: `of-${nodeName}`, namespace: 'ns' },
    spec: { nodeName },
  })),
});

const unrelated = "no relationship found between node 'n1' and this object";
const others = 'can only list/watch pods with spec.nodeName field selector';
const notOwn = "node 'n1' cannot read 'n2', only its own Node object";

const noToken = 'can only create tokens for individual service accounts';
const lease = { group: 'coordination.k8s.io', namespace: 'kube-node-lease' };
const csi = { group: 'storage.k8s.io', namespace: '' };
const slices = { group: 'resource.k8s.io', namespace: '' };
const notSlices = 'can only list/watch/deletecollection resourceslices with nodeName field selector';
const requests = { group: 'certificates.k8s.io' };

// Source: kubernetes plugin/pkg/auth/authorizer/node/node_authorizer_test.go.
const rows: readonly [question: string, extra: Partial<ResourceQuestion>, answer: string][] = [
  ['get secrets env', {}, 'allowed'],
  ['get secrets mirrored', {}, unrelated],
  ['update secrets env', {}, 'can only read resources of this type'],
  ['get configmaps projected', {}, 'allowed'],
  ['get persistentvolumeclaims claim', {}, 'allowed'],
  ['get persistentvolumeclaims p-c', {}, 'allowed'],
  ['list persistentvolumeclaims claim', {}, 'can only get individual resources of this type'],
  ['get persistentvolumes volume', { namespace: '' }, 'allowed'],
  ['get persistentvolumes other', { namespace: '' }, unrelated],
  ['get volumeattachments of-n1', csi, 'allowed'],
  ['get volumeattachments of-n2', csi, unrelated],
  ['get volumeattachments unknown', csi, unrelated],
  ['get pods p', {}, 'allowed'],
  ['get pods q', {}, unrelated],
  ['list pods ', { fieldSelector: 'spec.nodeName=n1' }, 'allowed'],
  ['list pods ', { fieldSelector: 'spec.nodeName=n2' }, others],
  ['list pods ', {}, others],
  ['get nodes n2', { namespace: '' }, notOwn],
  ['create nodes n2', { namespace: '' }, 'allowed'],
  ['patch nodes n2', { namespace: '', subresource: 'status' }, 'allowed'],
  ['patch nodes n1', { namespace: '', subresource: 'proxy' }, ''],
  ['delete nodes n1', { namespace: '' }, ''],
  ['get nodes n1', { namespace: '' }, 'allowed'],
  ['get nodes n1', { namespace: '', subresource: 'status' }, ''],
  ['list nodes ', { namespace: '' }, "node 'n1' cannot read all nodes, only its own Node object"],
  ['create pods q', {}, 'allowed'],
  ['delete pods q', {}, 'allowed'],
  ['update pods p', {}, ''],
  ['update pods q', { subresource: 'status' }, 'allowed'],
  ['get pods p', { subresource: 'status' }, ''],
  ['create pods q', { subresource: 'eviction' }, 'allowed'],
  ['get pods p', { subresource: 'eviction' }, ''],
  ['get pods p', { subresource: 'log' }, ''],
  ['watch pods p', {}, 'allowed'],
  ['watch pods q', {}, unrelated],
  ['list pods ', { fieldSelector: 'status.phase=Running,spec.nodeName==n1' }, 'allowed'],
  ['list secrets ', {}, 'No Object name found'],
  ['get secrets env', { subresource: 'status' }, 'cannot read subresource'],
  ['get secrets env', { namespace: '' }, 'can only read namespaced object of this type'],
  ['get persistentvolumeclaims claim', { subresource: 'other' }, 'cannot get subresource'],
  ['patch persistentvolumeclaims claim', { subresource: 'status' }, 'allowed'],
  ['update persistentvolumeclaims other', { subresource: 'status' }, unrelated],
  ['get persistentvolumeclaims claim', { subresource: 'status' }, 'can only get/update/patch this type'],
  ['create serviceaccounts runs', { subresource: 'token' }, 'allowed'],
  ['create serviceaccounts runs-elsewhere', { subresource: 'token' }, unrelated],
  ['create serviceaccounts runs', {}, 'can only create token subresource of serviceaccount'],
  ['create serviceaccounts ', { subresource: 'token' }, noToken],
  ['update serviceaccounts runs', { subresource: 'token' }, noToken],
  ['get leases n1', lease, 'allowed'],
  ['create leases n2', lease, 'allowed'],
  ['update leases n2', lease, 'can only access node lease with the same name as the requesting node'],
  ['list leases ', lease, 'can only get, create, update, patch, or delete a node lease'],
  ['get leases n1', { ...lease, namespace: 'ns' }, 'can only access leases in the "kube-node-lease" system namespace'],
  ['patch csinodes n1', csi, 'allowed'],
  ['create csinodes n2', csi, 'allowed'],
  ['get csinodes n2', csi, 'can only access CSINode with the same name as the requesting node'],
  ['watch csinodes n1', csi, 'can only get, create, update, patch, or delete a CSINode'],
  ['get csinodes n1', { ...csi, subresource: 'status' }, 'cannot authorize CSINode subresources'],
  ['get secrets staged', { namespace: 'csi' }, 'allowed'],
  ['get secrets published', { namespace: 'csi' }, unrelated],
  ['get secrets chap', {}, 'allowed'],
  ['get secrets unused', {}, unrelated],
  ['get serviceaccounts runs', {}, 'allowed'],
  ['get serviceaccounts runs-elsewhere', {}, unrelated],
  ['list serviceaccounts runs', {}, noToken],
  ['create resourceslices ', slices, 'allowed'],
  ['get resourceslices of-n1', slices, 'allowed'],
  ['delete resourceslices of-n2', slices, unrelated],
  ['list resourceslices ', slices, notSlices],
  ['list resourceslices ', { ...slices, fieldSelector: 'spec.nodeName=n1' }, 'allowed'],
  ['deletecollection resourceslices ', { ...slices, fieldSelector: 'spec.nodeName=n2' }, notSlices],
  ['get resourceslices of-n1', { ...slices, subresource: 'x' }, 'cannot authorize ResourceSlice subresources'],
  ['create podcertificaterequests ', requests, 'allowed'],
  ['get podcertificaterequests of-n1', requests, 'allowed'],
  ['get podcertificaterequests of-n2', requests, unrelated],
  ['delete podcertificaterequests of-n1', requests, 'nodes may not delete podcertificaterequests'],
  [
    'watch podcertificaterequests ',
    requests,
    'can only list/watch podcertificaterequests with nodeName field selector',
  ],
  [
    'patch podcertificaterequests of-n1',
    { ...requests, subresource: 'status' },
    'nodes may not access the status subresource of PodCertificateRequests',
  ],
  ['list services ', {}, 'allowed'],
  ['create services s', {}, ''],
];

const options = { minor: 36, hasCertificateRequests: () => true };

test.each(rows)('node n1: %s %j', (text, extra, answer) => {
  const [verb = '', resource = '', name = ''] = text.split(' ');
  const user = { username: 'system:node:n1', uid: '', groups: ['system:nodes'], extra: {} };
  const place = { group: '', version: 'v1', subresource: '', namespace: 'ns' };
  const decision = createNodeAuthorizer(
    cluster,
    createBootstrapRbac(recordedRelease.bootstrapRbac),
    options,
  )({ type: 'resource', user, verb, resource, name, ...place, ...extra });
  expect(decision.allowed ? 'allowed' : decision.reason).toBe(answer);
});

// Source: kubernetes plugin/pkg/auth/authorizer/node/node_authorizer.go of 1.37
test('since 1.37 the status of a CSINode needs a feature', () => {
  const user = { username: 'system:node:n1', uid: '', groups: ['system:nodes'], extra: {} };
  const rest = { group: 'storage.k8s.io', version: 'v1', subresource: 'status', namespace: '' };
  const question = { type: 'resource', user, verb: 'get', resource: 'csinodes', name: 'n1', ...rest } as const;
  const reasonIn = (minor: number): string => createNodeAuthorizer(cluster, [], { ...options, minor })(question).reason;
  expect(reasonIn(37)).toBe('CSINode status access requires CSIVolumeHealth feature');
  expect(reasonIn(36)).toBe('cannot authorize CSINode subresources');
});

test.each<[username: string, groups: readonly string[], reason: string]>([
  ['system:node:', ['system:nodes'], 'unknown node for user "system:node:"'],
  ['system:node:n1', ['system:authenticated'], ''],
  ['n1', ['system:nodes'], ''],
])('%s of %j is no node', (username, groups, reason) => {
  const authorize = createNodeAuthorizer(cluster, createBootstrapRbac(recordedRelease.bootstrapRbac), options);
  const user = { username, uid: '', groups, extra: {} };
  const place = { group: '', version: 'v1', subresource: '', namespace: 'ns' };
  const question = { type: 'resource', user, verb: 'get', resource: 'pods', name: 'p', ...place } as const;
  expect(authorize(question)).toEqual({ allowed: false, reason });
});
