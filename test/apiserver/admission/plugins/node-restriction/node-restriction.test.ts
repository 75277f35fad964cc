import { expect, test } from 'vitest';
import { certificateRequest } from '../../../../harness/certificate-request.ts';
import { nodeRestriction } from '../../../../../src/apiserver/admission/plugins/node-restriction/node-restriction.ts';
import type { AdmissionAttributes } from '../../../../../src/apiserver/admission/chain/attributes.ts';
import type { PluginPorts } from '../../../../../src/apiserver/admission/chain/plugin.ts';
import { loadRelease } from '../../../../../src/api/release/load-release.ts';
import type { JsonObject } from '../../../../../src/machinery/json/json.ts';
import { type KubernetesObject, withMetadata } from '../../../../../src/machinery/meta/object.ts';
import { clusterOf, creating, object, portsOf, refusalOf } from '../../../../harness/builtin-plugin.ts';

const userInfo = { username: 'system:node:n', uid: '', groups: ['system:nodes'], extra: {} };

const named = (apiVersion: string, kind: string, name: string, fields: JsonObject): KubernetesObject =>
  withMetadata(object(apiVersion, kind, name, fields), {
    uid: `uid-${name}`,
    ...(clusterScoped.includes(kind) ? {} : { namespace: 'ns' }),
  });
const clusterScoped = ['CSIDriver', 'PersistentVolume', 'Node'];

const pod = (spec: JsonObject): KubernetesObject => named('v1', 'Pod', 'p', { spec: { nodeName: 'n', ...spec } });

const driver = named('storage.k8s.io/v1', 'CSIDriver', 'd', { spec: { tokenRequests: [{ audience: 'vault' }] } });

/** What is said to a kubelet when no role allows it audiences. */
async function said(
  request: Partial<AdmissionAttributes>,
  asked: KubernetesObject,
  stored: Parameters<typeof clusterOf>[0],
  over: Partial<PluginPorts> = {},
) {
  const ports = { ...portsOf(clusterOf(stored)), authorize: () => ({ allowed: false, reason: '' }), ...over };
  const answer = nodeRestriction.mutate?.({ ...creating(asked, '', { userInfo }), ...request }, ports);
  return refusalOf(answer)?.message;
}

const token = { resource: { group: '', version: 'v1', resource: 'serviceaccounts' }, subresource: 'token', name: 's' };
const asking = (...audiences: readonly string[]): KubernetesObject =>
  object('authentication.k8s.io/v1', 'TokenRequest', '', {
    spec: { audiences, boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'uid-p' } },
  });
const refused = 'serviceaccounts "s" is forbidden: ';
const mounting = (audience: string): JsonObject => ({
  volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { audience, path: 'token' } }] } }],
});
const claims = { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }] };

// Source: kubernetes plugin/pkg/admission/noderestriction/admission_test.go
test.each<[fact: string, asked: KubernetesObject, spec: JsonObject, message: string | undefined]>([
  ['two audiences', asking('a', 'b'), {}, `${refused}node may only request 0 or 1 audiences`],
  ['an audience that the Pod mounts a token for', asking('vault'), mounting('vault'), undefined],
  [
    'none, which is the server itself',
    asking(),
    { volumes: [{ projected: { sources: [{ serviceAccountToken: {} }] } }] },
    undefined,
  ],
  [
    'another one',
    asking('vault'),
    mounting('other'),
    `${refused}audience "vault" not found in pod spec volume, system:node:n is not authorized to request tokens for this audience`,
  ],
  ['one that the CSI driver of a volume asks for', asking('vault'), { volumes: [{ csi: { driver: 'd' } }] }, undefined],
  [
    'one of a driver that is not there',
    asking('vault'),
    { volumes: [{ csi: { driver: 'e' } }] },
    `${refused}error validating audience "vault": csidriver.storage.k8s.io "e" not found`,
  ],
  ['one of the driver of a claim', asking('vault'), claims, undefined],
  [
    'a claim that is not there',
    asking('vault'),
    { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'none' } }] },
    `${refused}error validating audience "vault": persistentvolumeclaim "none" not found`,
  ],
])('a token for %s', async (_fact, asked, spec, message) => {
  const stored = {
    pods: [pod(spec)],
    persistentvolumeclaims: [named('v1', 'PersistentVolumeClaim', 'c', { spec: { volumeName: 'pv' } })],
    persistentvolumes: [named('v1', 'PersistentVolume', 'pv', { spec: { csi: { driver: 'd' } } })],
    'csidrivers.storage.k8s.io': [driver],
  };
  expect(await said(token, asked, stored)).toBe(message);
});

const pods = { resource: { group: '', version: 'v1', resource: 'pods' }, name: 'p' };
const mirror = (spec: JsonObject): KubernetesObject =>
  withMetadata(pod(spec), {
    annotations: { 'kubernetes.io/config.mirror': 'x' },
    ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'uid-n', controller: true }],
  });

test.each<[spec: JsonObject, what: string | undefined]>([
  [{ volumes: [{ emptyDir: {} }, { hostPath: {} }, { projected: { sources: [{ downwardAPI: {} }] } }] }, undefined],
  [{ serviceAccountName: 's' }, 'serviceaccounts'],
  [{ resourceClaims: [{ name: 'c' }] }, 'resourceclaims'],
  [{ volumes: [{ csi: { driver: 'd' } }] }, 'csidrivers (via CSI volumes)'],
  [{ volumes: [{ ephemeral: {} }] }, 'persistentvolumeclaims (via ephemeral volumes)'],
  [
    { volumes: [{ projected: { sources: [{ downwardAPI: {} }, { serviceAccountToken: {} }] } }] },
    'serviceaccounts (via projected volumes)',
  ],
  [{ volumes: [{ projected: { sources: [{ podCertificate: {} }] } }] }, 'podcertificates'],
])('a mirror pod of %j', async (spec, what) => {
  const nodes = [named('v1', 'Node', 'n', {})];
  const message = what && `pods "p" is forbidden: node "n" can not create pods that reference ${what}`;
  expect(await said(pods, mirror(spec), { nodes })).toBe(message);
});

test('a kubelet does not change the claim that stands for extended resources', async () => {
  const status = (resourceClaimName: string) => ({
    ...pod({}),
    status: { extendedResourceClaimStatus: { resourceClaimName } },
  });
  const update = { ...pods, operation: 'UPDATE', subresource: 'status', oldObject: status('a') } as const;
  expect(await said(update, status('a'), {})).toBeUndefined();
  expect(await said(update, status('b'), {})).toBe(
    'pods "p" is forbidden: node "n" cannot update extended resource claim status',
  );
});

test('of a node, owners are looked at before labels', async () => {
  const node = (metadata: object) => withMetadata(named('v1', 'Node', 'n', {}), metadata);
  const update = { resource: { group: '', version: 'v1', resource: 'nodes' }, name: 'n', operation: 'UPDATE' } as const;
  const labels = { 'node-restriction.kubernetes.io/a': 'b' };
  const owners = { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' }] };
  const asked = (metadata: object) => said({ ...update, oldObject: node({}) }, node(metadata), {});
  expect(await asked({ labels })).toBe(
    `nodes "n" is forbidden: is not allowed to modify labels: ${Object.keys(labels).join('')}`,
  );
  expect(await asked({ labels, ...owners })).toBe(
    'nodes "n" is forbidden: node "n" is not allowed to modify ownerReferences',
  );
});

const certificate = {
  resource: { group: 'certificates.k8s.io', version: 'v1beta1', resource: 'podcertificaterequests' },
};
const wanted = {
  nodeName: 'n',
  nodeUID: 'uid-n',
  podName: 'p',
  podUID: 'uid-p',
  serviceAccountName: 's',
  serviceAccountUID: 'uid-s',
};

test.each<[change: JsonObject, message: string | undefined]>([
  [{}, undefined],
  [
    { nodeName: 'm' },
    'podcertificaterequests.certificates.k8s.io "r" is forbidden: PodCertificateRequest.Spec.NodeName="m", which is not the requesting node "n"',
  ],
  [
    { nodeUID: 'x' },
    'PodCertificateRequest for pod "ns/p" names node UID "x", inconsistent with the running node ("uid-n")',
  ],
  [{ podName: 'q' }, 'while retrieving pod "ns/q" named in the PodCertificateRequest: pod "q" not found'],
  [
    { podUID: 'x' },
    'PodCertificateRequest for pod "ns/p" contains pod UID ("x") which differs from running pod "uid-p"',
  ],
  [
    { serviceAccountName: 't' },
    'podcertificaterequests.certificates.k8s.io "r" is forbidden: PodCertificateRequest for pod "ns/p" contains serviceAccountName ("t") that differs from running pod ("s")',
  ],
  [
    { serviceAccountUID: 'x' },
    'PodCertificateRequest for pod "ns/p" names service account UID "x", which differs from the running service account ("uid-s")',
  ],
])('a certificate for a Pod: %j', async (change, message) => {
  const asked = named('certificates.k8s.io/v1beta1', 'PodCertificateRequest', 'r', { spec: { ...wanted, ...change } });
  const stored = {
    nodes: [named('v1', 'Node', 'n', {})],
    pods: [pod({ serviceAccountName: 's' })],
    serviceaccounts: [named('v1', 'ServiceAccount', 's', {})],
  };
  expect(await said({ ...certificate, name: 'r' }, asked, stored)).toBe(message);
});

const certificateVolume = (signerName: string): JsonObject => ({
  volumes: [{ name: 'v', projected: { sources: [{ podCertificate: { signerName, keyType: 'ED25519' } }] } }],
});
const { codec } = await loadRelease('1.37');
const signer = 'example.com/s';

// Source: kubernetes plugin/pkg/admission/noderestriction/admission.go validateNodePodCertificateSigner of 1.37 (#140006)
test.each<[fact: string, spec: JsonObject, allowed: string, message: string | undefined]>([
  ['a signer that the Pod mounts', certificateVolume(signer), '', undefined],
  [
    'another signer',
    certificateVolume('example.com/other'),
    '',
    'podcertificaterequests.certificates.k8s.io "r" is forbidden: pod "ns/p" does not mount a podCertificate projected volume for signer "example.com/s"',
  ],
  ['a signer that a role allows', {}, 'request-serviceaccounts-podcertificate-signer example.com:s ns/s', undefined],
])('a node asks for a certificate of %s', async (_fact, spec, allowed, message) => {
  const asked = named('certificates.k8s.io/v1', 'PodCertificateRequest', 'r', {
    spec: { ...wanted, signerName: signer },
  });
  const stored = {
    nodes: [named('v1', 'Node', 'n', {})],
    pods: [pod({ serviceAccountName: 's', ...spec })],
    serviceaccounts: [named('v1', 'ServiceAccount', 's', {})],
  };
  const authorize: PluginPorts['authorize'] = (question) => ({
    allowed:
      question.type === 'resource' &&
      `${question.verb} ${question.resource} ${question.namespace}/${question.name}` === allowed,
    reason: '',
  });
  expect(await said({ ...certificate, name: 'r' }, asked, stored, { codec, authorize })).toBe(message);
  expect(await said({ ...certificate, name: 'r' }, asked, stored)).toBeUndefined();
});

const requestFor = (signerName: string): KubernetesObject =>
  object('certificates.k8s.io/v1', 'CertificateSigningRequest', 'r', {
    spec: { signerName, request: certificateRequest, usages: ['digital signature'] },
  });
const requests = { resource: { group: 'certificates.k8s.io', version: 'v1', resource: 'certificatesigningrequests' } };

// Source: kubernetes plugin/pkg/admission/noderestriction/admission.go admitCSR; the request is of CN=alice.
test.each<[signer: string, message: string | undefined]>([
  ['kubernetes.io/kubelet-serving', 'can only create a node CSR with CN=system:node:n'],
  ['kubernetes.io/kube-apiserver-client-kubelet', 'can only create a node CSR with CN=system:node:n'],
  ['kubernetes.io/kube-apiserver-client', undefined],
  ['example.com/own', undefined],
])('a node asks %s for the certificate of another node', async (signer, message) => {
  const refusal = 'certificatesigningrequests.certificates.k8s.io "r" is forbidden: ';
  const expected = message === undefined ? undefined : `${refusal}${message}`;
  expect(await said({ ...requests, name: 'r' }, requestFor(signer), {})).toBe(expected);
});
