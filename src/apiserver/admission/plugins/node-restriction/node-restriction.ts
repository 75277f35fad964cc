import type { BoundObjectReference, TokenRequest } from '../../../../api/types/generated/authentication-v1.ts';
import type {
  CertificateSigningRequest,
  CertificateSigningRequestSpec,
} from '../../../../api/types/generated/certificates-v1.ts';
import type { Node, PersistentVolumeClaim, Pod } from '../../../../api/types/generated/core-v1.ts';
import type { ResourceSlice } from '../../../../api/types/generated/resource-v1.ts';
import { readCertificateRequest } from '../../../../api/validation/certificates/x509.ts';
import { sameJson } from '../../../../machinery/json/json-equal.ts';
import { asObject, asString, type JsonValue } from '../../../../machinery/json/json.ts';
import { goQuote } from '../../../../machinery/meta/field-error.ts';
import { metadataOf } from '../../../../machinery/meta/object.ts';
import type { Result } from '../../../../machinery/meta/result.ts';
import { notFound } from '../../../../machinery/meta/status.ts';
import { nodeNameOf } from '../../../auth/user.ts';
import type { AdmissionAttributes } from '../../chain/attributes.ts';
import { newForbidden, byRule, refuseBecauseOf } from '../../chain/refusal.ts';
import type { PluginAnswer, PluginPorts, SyncPlugin } from '../../chain/plugin.ts';
import { pass } from '../handled-resource.ts';
import { podCertificateFault } from './node-certificates.ts';
import { type NodePodFault, podFault } from './node-pods.ts';
import { audienceFault } from './node-token-audience.ts';

/**
 * Limits kubelets to their own Node, their Pods and related objects. Follows kubernetes
 * plugin/pkg/admission/noderestriction/admission.go (rule PLG-27).
 */
export const nodeRestriction: SyncPlugin = {
  name: 'NodeRestriction',
  operations: ['CREATE', 'UPDATE', 'DELETE'],
  mutate: (request, ports) => {
    const node = nodeNameOf(request.userInfo);
    return node === undefined ? pass(request) : checkRequest(node, request, ports);
  },
};

function checkRequest(node: string, request: AdmissionAttributes, ports: PluginPorts): Result<PluginAnswer> {
  const fault = node === '' ? unknownNode(request) : faultOf(node, request, ports);
  if (fault === undefined) return pass(request);
  const status = typeof fault === 'string' ? newForbidden(request, fault) : fault;
  const what = node === '' ? 'system:node:NAME as the user' : `what belongs to node ${node}, whose kubelet asks`;
  return refuseBecauseOf(request, status, byRule('a request of system:nodes', what));
}

const unknownNode = ({ userInfo }: AdmissionAttributes): string =>
  `could not determine node from user ${goQuote(userInfo.username)}`;

type ResourceCheck = (node: string, request: AdmissionAttributes, ports: PluginPorts) => NodePodFault;

function faultOf(node: string, request: AdmissionAttributes, ports: PluginPorts): NodePodFault {
  const { group, resource } = request.resource;
  if (group === '' && resource === 'serviceaccounts') return tokenFault(node, request, ports);
  return resourceChecks[`${group}/${resource}`]?.(node, request, ports);
}

const nodeFault: ResourceCheck = (node, request, ports) => {
  const { operation, name, object } = request;
  const requestName = name || (object?.metadata?.name ?? '');
  if (requestName !== node) return `node ${goQuote(node)} is not allowed to modify node ${goQuote(requestName)}`;
  if (operation === 'CREATE') return newNodeFault(node, request, ports);
  return operation === 'UPDATE' ? changedNodeFault(node, request, ports) : undefined;
};

const labelsOf = (node: AdmissionAttributes['object']): Readonly<Record<string, string | undefined>> =>
  node?.metadata?.labels ?? {};

const sourceOf = (node: Node | null): JsonValue | undefined => node?.spec?.configSource;

const newNodeFault: ResourceCheck = (node, { object }) => {
  if (sourceOf(object) !== undefined) {
    return `node ${goQuote(node)} is not allowed to create pods with a non-nil configSource`;
  }
  const labels = forbiddenLabels(labelsOf(object), {}).join(', ');
  return labels === '' ? undefined : `node ${goQuote(node)} is not allowed to set the following labels: ${labels}`;
};

const changedNodeFault: ResourceCheck = (node, { object, oldObject }) => {
  const changes = (fieldOf: (from: Node | null) => JsonValue | undefined): boolean =>
    !sameJson(fieldOf(object) ?? [], fieldOf(oldObject) ?? []);
  const notAllowed = `node ${goQuote(node)} is not allowed to`;
  if (sourceOf(object) !== undefined && changes(sourceOf)) {
    return `${notAllowed} update configSource to a new non-nil configSource`;
  }
  if (changes((from) => from?.spec?.taints)) return `${notAllowed} modify taints`;
  if (changes((from) => from?.metadata?.ownerReferences)) return `${notAllowed} modify ownerReferences`;
  const labels = forbiddenLabels(labelsOf(object), labelsOf(oldObject)).join(', ');
  return labels === '' ? undefined : `is not allowed to modify labels: ${labels}`;
};

/** Nodes may change only volume-related status fields of a claim. */
const claimFault: ResourceCheck = (node, { subresource, operation, object, oldObject }) => {
  if (subresource !== 'status') return 'may only update PVC status';
  if (operation !== 'UPDATE') return `unexpected operation ${goQuote(operation)}`;
  const kept = (claim: PersistentVolumeClaim | null): ReturnType<typeof asObject> => {
    const { resourceVersion: _version, managedFields: _managed, ...metadata } = asObject(claim?.metadata);
    const status = asObject(claim?.status);
    const { capacity: _c, conditions: _o, allocatedResources: _a, allocatedResourceStatuses: _s, ...others } = status;
    return { metadata, spec: asObject(claim?.spec), status: others };
  };
  const [now, before] = [kept(object), kept(oldObject)];
  const changed = Object.keys(now).filter((field) => !sameJson(now[field], before[field]));
  if (changed.length === 0) return undefined;
  // Upstream prints the difference as Go values, in no fixed form.
  const allowed = 'fields other than status.quantity and status.conditions';
  return `node ${goQuote(node)} is not allowed to update ${allowed}: ${changed.join(', ')}`;
};

const boundObject = (request: TokenRequest | null): BoundObjectReference => asObject(request?.spec?.boundObjectRef);

function tokenFault(node: string, request: AdmissionAttributes, ports: PluginPorts): NodePodFault {
  const { operation, subresource, namespace, object } = request;
  if (operation !== 'CREATE' || subresource !== 'token') return undefined;
  const bound = boundObject(object);
  const name = asString(bound.name);
  if (bound.apiVersion !== 'v1' || bound.kind !== 'Pod' || name === '') {
    return 'node requested token not bound to a pod';
  }
  const uid = asString(bound.uid);
  if (uid === '') return 'node requested token with a pod binding without a uid';
  const pod: Pod | undefined = ports.cluster.get({ group: '', resource: 'pods' }, namespace, name);
  if (pod === undefined) return notFound({ group: '', resource: 'pod' }, name);
  if (metadataOf(pod).uid !== uid) {
    return `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
  }
  const isOwn = pod.spec?.nodeName === node;
  if (!isOwn) return 'node requested token bound to a pod scheduled on a different node';
  return audienceFault(request, pod, ports);
}

const isNamed = (node: string, { operation, name, object }: AdmissionAttributes): boolean =>
  (operation === 'CREATE' && object ? metadataOf(object).name : name) === node;

const leaseFault: ResourceCheck = (node, request) => {
  if (request.namespace !== 'kube-node-lease')
    return 'can only access leases in the "kube-node-lease" system namespace';
  return isNamed(node, request) ? undefined : 'can only access node lease with the same name as the requesting node';
};

const csiNodeFault: ResourceCheck = (node, request) => {
  if (!isNamed(node, request)) return 'can only access CSINode with the same name as the requesting node';
  return request.subresource === 'status' ? 'CSIVolumeHealth feature gate is disabled' : undefined;
};

const nodeSigners = ['kubernetes.io/kubelet-serving', 'kubernetes.io/kube-apiserver-client-kubelet'];

const requestedCertificate = (request: CertificateSigningRequest | null): Partial<CertificateSigningRequestSpec> =>
  asObject(request?.spec);

const requestFault: ResourceCheck = (node, { operation, subresource, object }) => {
  const { signerName, request } = requestedCertificate(object);
  if (operation !== 'CREATE' || subresource !== '' || !nodeSigners.includes(asString(signerName))) return undefined;
  const reading = readCertificateRequest(asString(request));
  if (reading.outcome === 'corrupt') return `unable to parse csr: ${reading.error}`;
  const name = `system:node:${node}`;
  return reading.commonName === name ? undefined : `can only create a node CSR with CN=${name}`;
};

const sliceFault: ResourceCheck = (node, { operation, object, oldObject }) => {
  const slice: ResourceSlice | null = operation === 'CREATE' ? object : oldObject;
  if (operation === 'UPDATE' || slice?.spec?.nodeName === node) return undefined;
  return `can only ${operation.toLowerCase()} ResourceSlice with the same NodeName as the requesting node`;
};

const resourceChecks: Readonly<Record<string, ResourceCheck>> = {
  '/pods': podFault,
  '/nodes': nodeFault,
  '/persistentvolumeclaims': claimFault,
  'coordination.k8s.io/leases': leaseFault,
  'storage.k8s.io/csinodes': csiNodeFault,
  'certificates.k8s.io/certificatesigningrequests': requestFault,
  'certificates.k8s.io/podcertificaterequests': podCertificateFault,
  'resource.k8s.io/resourceslices': sliceFault,
};

const own = new Set([
  'kubernetes.io/hostname',
  'kubernetes.io/arch',
  'kubernetes.io/os',
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/instance-type',
  'node.kubernetes.io/instance-type',
  'failure-domain.beta.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone',
]);

type Labels = Readonly<Record<string, string | undefined>>;

/** Follows kubernetes plugin/pkg/admission/noderestriction/admission.go and kubelet pkg/apis/well_known_labels.go. */
export function forbiddenLabels(labels: Labels, old: Labels): readonly string[] {
  const names = new Set([...Object.keys(labels), ...Object.keys(old)]);
  return [...names].filter((name) => (labels[name] ?? '') !== (old[name] ?? '') && isForbidden(name)).toSorted();
}

function isForbidden(label: string): boolean {
  const slash = label.indexOf('/');
  const space = slash < 0 ? '' : label.slice(0, slash);
  if (isIn(space, 'node-restriction.kubernetes.io')) return true;
  if (!isIn(space, 'kubernetes.io') && !isIn(space, 'k8s.io')) return false;
  return !own.has(label) && !isIn(space, 'kubelet.kubernetes.io') && !isIn(space, 'node.kubernetes.io');
}

const isIn = (space: string, domain: string): boolean => space === domain || space.endsWith(`.${domain}`);
