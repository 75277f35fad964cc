import { goQuote } from '../../apimachinery/field-error.ts';
import { asList, asObject, asString, valueAt } from '../../apimachinery/json.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import { metadataOf } from '../../apimachinery/object.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import { notFound } from '../../apimachinery/status.ts';
import type { Status } from '../../apimachinery/status.ts';
import { configMapsOf, secretsOf } from '../../auth/node/pod-references.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import type { PluginPorts } from '../plugin.ts';

/** What a node may not do, as a sentence or as the Status itself; undefined when all is well. */
export type Fault = string | Status | undefined;

const pods = { group: '', resource: 'pods' };
const mirror = 'kubernetes.io/config.mirror';
const nodeNameOf = (pod: KubernetesObject | null | undefined): unknown => valueAt(pod ?? undefined, 'spec', 'nodeName');

/** A node's request for a Pod. Follows kubernetes plugin/pkg/admission/noderestriction/admission.go admitPod. */
export function podFault(node: string, request: AdmissionAttributes, { cluster }: PluginPorts): Fault {
  const { operation, subresource, object, oldObject } = request;
  const quoted = goQuote(node);
  const what = `${operation} ${subresource}`;
  if (what === 'CREATE ') return object ? creationFault(node, object, cluster) : undefined;
  if (what === 'UPDATE status') return statusFault(quoted, object, oldObject);
  const only = { 'DELETE ': `node ${quoted} can only delete`, 'CREATE eviction': `node ${node} can only evict` }[what];
  if (only !== undefined) return removalFault(node, request, { only, cluster });
  if (subresource === '') {
    return `unexpected operation ${goQuote(operation)}, node ${quoted} can only create and delete mirror pods`;
  }
  return `unexpected pod subresource ${goQuote(subresource)}, only 'status' and 'eviction' are allowed`;
}

function removalFault(
  node: string,
  { namespace, name: asked, object }: AdmissionAttributes,
  { only, cluster }: Pick<PluginPorts, 'cluster'> & { readonly only: string },
): Fault {
  const name = asked || (object?.metadata?.name ?? '');
  const pod = cluster.get(pods, namespace, name);
  if (pod === undefined) return notFound({ group: '', resource: 'pod' }, name);
  return nodeNameOf(pod) === node ? undefined : `${only} pods with spec.nodeName set to itself`;
}

function statusFault(node: string, object: KubernetesObject | null, old: KubernetesObject | null): Fault {
  if (`"${String(nodeNameOf(old))}"` !== node) {
    return `node ${node} can only update pod status for pods with spec.nodeName set to itself`;
  }
  const labels = ({ metadata }: KubernetesObject): string =>
    JSON.stringify(Object.entries(metadata?.labels ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  if (object && old && labels(object) !== labels(old)) return `node ${node} cannot update labels through pod status`;
  const claims = (pod: KubernetesObject | null): string =>
    JSON.stringify(asList(valueAt(pod ?? undefined, 'status', 'resourceClaimStatuses')));
  return claims(object) === claims(old) ? undefined : `node ${node} cannot update resource claim statues`;
}

function creationFault(node: string, pod: KubernetesObject, cluster: PluginPorts['cluster']): Fault {
  const quoted = goQuote(node);
  if (metadataOf(pod).annotations?.[mirror] === undefined) {
    return `pod does not have "${mirror}" annotation, node ${quoted} can only create mirror pods`;
  }
  if (nodeNameOf(pod) !== node) return `node ${quoted} can only create pods with spec.nodeName set to itself`;
  return ownerFault(node, pod, cluster) ?? referenceFault(quoted, asObject(pod['spec']));
}

function ownerFault(node: string, pod: KubernetesObject, cluster: PluginPorts['cluster']): Fault {
  const quoted = goQuote(node);
  const [owner, ...others] = asList(valueAt(pod, 'metadata', 'ownerReferences')).map(asObject);
  if (others.length > 0) return `node ${quoted} can only create pods with a single owner reference set to itself`;
  if (owner?.['apiVersion'] !== 'v1' || owner['kind'] !== 'Node' || owner['name'] !== node) {
    return `node ${quoted} can only create pods with an owner reference set to itself`;
  }
  if (owner['controller'] !== true) {
    return `node ${quoted} can only create pods with a controller owner reference set to itself`;
  }
  if (owner['blockOwnerDeletion'] === true)
    return `node ${quoted} must not set blockOwnerDeletion on an owner reference`;
  const stored = cluster.get({ group: '', resource: 'nodes' }, '', node);
  if (stored === undefined) return notFound({ group: '', resource: 'node' }, node);
  const [said, uid] = [asString(owner['uid']), metadataOf(stored).uid ?? ''];
  return said === uid ? undefined : `node ${node} UID mismatch: expected ${said} got ${uid}`;
}

function referenceFault(node: string, spec: JsonObject): Fault {
  const volumes = asList(spec['volumes']).map(asObject);
  const bundles = volumes.flatMap((volume) => asList(valueAt(volume, 'projected', 'sources')).map(asObject));
  const uses: readonly (readonly [isUsed: boolean, what: string])[] = [
    [asString(spec['serviceAccountName']) !== '', 'a service account'],
    [secretsOf(spec).some(Boolean), 'secrets'],
    [configMapsOf(spec).some(Boolean), 'configmaps'],
    [bundles.some((source) => source['clusterTrustBundle'] !== undefined), 'clustertrustbundles'],
    [volumes.some((volume) => volume['persistentVolumeClaim'] !== undefined), 'persistentvolumeclaims'],
  ];
  const used = uses.find(([isUsed]) => isUsed);
  return used && `node ${node} can not create pods that reference ${used[1]}`;
}
