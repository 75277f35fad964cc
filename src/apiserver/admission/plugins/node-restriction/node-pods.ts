import { byKey } from '../../../../machinery/go/strings.ts';
import { goQuote } from '../../../../machinery/meta/field-error.ts';
import { asList, asObject, asString, type JsonValue } from '../../../../machinery/json/json.ts';
import { sameJson } from '../../../../machinery/json/json-equal.ts';
import { type KubernetesObject, metadataOf } from '../../../../machinery/meta/object.ts';
import { notFound, type Status } from '../../../../machinery/meta/status.ts';
import { configMapsOf, secretsOf } from '../../../auth/node/pod-references.ts';
import type { AdmissionAttributes } from '../../chain/attributes.ts';
import type { PluginPorts } from '../../chain/plugin.ts';
import type {
  Node,
  Pod,
  PodSpec,
  PodStatus,
  Volume,
  VolumeProjection,
} from '../../../../api/types/generated/core-v1.ts';

export type NodePodFault = string | Status | undefined;

const pods = { group: '', resource: 'pods' };
const mirror = 'kubernetes.io/config.mirror';
const nodeNameOf = (pod: Pod | null | undefined): unknown => pod?.spec?.nodeName;

/** Follows kubernetes plugin/pkg/admission/noderestriction/admission.go admitPod. */
export function podFault(node: string, request: AdmissionAttributes, { cluster, codec }: PluginPorts): NodePodFault {
  const { operation, subresource, object, oldObject } = request;
  const quoted = goQuote(node);
  const what = `${operation} ${subresource}`;
  if (what === 'CREATE ') return object ? creationFault(node, object, cluster) : undefined;
  if (what === 'UPDATE status') return statusFault(quoted, [object, oldObject], codec.types.minor);
  const only = { 'DELETE ': `node ${quoted} can only delete`, 'CREATE eviction': `node ${node} can only evict` }[what];
  if (only !== undefined) return removalFault(node, request, { only, cluster });
  if (subresource === '') {
    return `unexpected operation ${goQuote(operation)}, node ${quoted} can only create and delete mirror pods`;
  }
  return `unexpected pod subresource ${goQuote(subresource)}, only 'status' and 'eviction' are allowed`;
}

function removalFault(
  node: string,
  { namespace, name: requestName, object }: AdmissionAttributes,
  { only, cluster }: Pick<PluginPorts, 'cluster'> & { readonly only: string },
): NodePodFault {
  const name = requestName || (object?.metadata?.name ?? '');
  const pod: Pod | undefined = cluster.get(pods, namespace, name);
  if (pod === undefined) return notFound({ group: '', resource: 'pod' }, name);
  return nodeNameOf(pod) === node ? undefined : `${only} pods with spec.nodeName set to itself`;
}

type ObjectAndOld = readonly [object: KubernetesObject | null, old: KubernetesObject | null];

function statusFault(node: string, [object, old]: ObjectAndOld, minor: number): NodePodFault {
  if (`"${String(nodeNameOf(old))}"` !== node) {
    return `node ${node} can only update pod status for pods with spec.nodeName set to itself`;
  }
  const labels = ({ metadata }: KubernetesObject): string =>
    JSON.stringify(Object.entries(metadata?.labels ?? {}).toSorted(byKey));
  if (object && old && labels(object) !== labels(old)) return `node ${node} cannot update labels through pod status`;
  const status = (pod: Pod | null, field: keyof PodStatus): JsonValue => pod?.status?.[field] ?? null;
  const changes = (field: keyof PodStatus): boolean => !sameJson(status(object, field), status(old, field));
  if (changes('resourceClaimStatuses')) return `node ${node} cannot update resource claim statues`;
  if (changes('extendedResourceClaimStatus')) return `node ${node} cannot update extended resource claim status`;
  if (minor < 37 || !changes('nodeAllocatableResourceClaimStatuses')) return undefined;
  return `node ${node} cannot update node allocatable resource claim statuses`;
}

function creationFault(node: string, pod: Pod, cluster: PluginPorts['cluster']): NodePodFault {
  const quoted = goQuote(node);
  if (metadataOf(pod).annotations?.[mirror] === undefined) {
    return `pod does not have "${mirror}" annotation, node ${quoted} can only create mirror pods`;
  }
  if (nodeNameOf(pod) !== node) return `node ${quoted} can only create pods with spec.nodeName set to itself`;
  return ownerFault(node, pod, cluster) ?? referenceFault(quoted, asObject(pod.spec));
}

function ownerFault(node: string, pod: Pod, cluster: PluginPorts['cluster']): NodePodFault {
  const quoted = goQuote(node);
  const [owner, ...others] = asList(pod.metadata?.ownerReferences);
  if (others.length > 0) return `node ${quoted} can only create pods with a single owner reference set to itself`;
  if (owner?.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node) {
    return `node ${quoted} can only create pods with an owner reference set to itself`;
  }
  if (owner.controller !== true) {
    return `node ${quoted} can only create pods with a controller owner reference set to itself`;
  }
  if (owner.blockOwnerDeletion === true) return `node ${quoted} must not set blockOwnerDeletion on an owner reference`;
  const stored: Node | undefined = cluster.get({ group: '', resource: 'nodes' }, '', node);
  if (stored === undefined) return notFound({ group: '', resource: 'node' }, node);
  const [ownerUid, uid] = [asString(owner.uid), metadataOf(stored).uid ?? ''];
  return ownerUid === uid ? undefined : `node ${node} UID mismatch: expected ${ownerUid} got ${uid}`;
}

/** Follows kubernetes pkg/api/pod/util.go HasAPIObjectReference. */
function referenceFault(node: string, spec: PodSpec): NodePodFault {
  const volumes = asList(spec.volumes);
  const uses: readonly (readonly [isUsed: boolean, what: string])[] = [
    [asString(spec.serviceAccountName) !== '', 'serviceaccounts'],
    [secretsOf(spec).some(Boolean), 'secrets'],
    [configMapsOf(spec).some(Boolean), 'configmaps'],
    [asList(spec.resourceClaims).length > 0, 'resourceclaims'],
    ...volumes.flatMap((volume) => volumeKinds(volume).map((what) => [true, what] as const)),
  ];
  const used = uses.find(([isUsed]) => isUsed);
  return used && `node ${node} can not create pods that reference ${used[1]}`;
}

/** The API objects that a volume uses, by its source. */
const volumeSources: readonly (readonly [source: keyof Volume, what: string])[] = [
  ['configMap', 'configmaps (via configmap volumes)'],
  ['secret', 'secrets (via secret volumes)'],
  ['csi', 'csidrivers (via CSI volumes)'],
  ['glusterfs', 'endpoints (via glusterFS volumes)'],
  ['persistentVolumeClaim', 'persistentvolumeclaims'],
  ['ephemeral', 'persistentvolumeclaims (via ephemeral volumes)'],
  ['azureFile', 'secrets (via azureFile volumes)'],
];

const projectedSources: readonly (readonly [source: keyof VolumeProjection, what: string])[] = [
  ['configMap', 'configmaps (via projected volumes)'],
  ['secret', 'secrets (via projected volumes)'],
  ['serviceAccountToken', 'serviceaccounts (via projected volumes)'],
  ['clusterTrustBundle', 'clustertrustbundles'],
  ['podCertificate', 'podcertificates'],
];

const kindsIn = <From>(
  from: From,
  sources: readonly (readonly [source: keyof From, what: string])[],
): readonly string[] => sources.flatMap(([source, what]) => (from[source] === undefined ? [] : [what]));

const volumeKinds = (volume: Volume): readonly string[] => [
  ...kindsIn(volume, volumeSources),
  ...asList(volume.projected?.sources).flatMap((source) => kindsIn(source, projectedSources)),
];
