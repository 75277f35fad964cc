import type { ClusterView } from '../../../machinery/meta/cluster-view.ts';
import { asList, asObject, asString, valueAt } from '../../../machinery/json/json.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { claimsOf, configMapsOf, secretsOf } from './pod-references.ts';
import { volumeNamesSecret } from './volume-secrets.ts';

/** Whether the node uses the object. */
export type IsRelated = (node: string, resource: string, namespace: string, name: string) => boolean;

const pods = { group: '', resource: 'pods' };

/** Nodes are related to what their Pods use. Follows kubernetes plugin/pkg/auth/authorizer/node/graph.go. */
export function relationsIn(view: ClusterView): IsRelated {
  const usedBy = (node: string, namespace: string, uses: (pod: KubernetesObject) => boolean): boolean =>
    view.list(pods, namespace).some((pod) => valueAt(pod, 'spec', 'nodeName') === node && !isMirror(pod) && uses(pod));
  const usesVolume = (node: string, volume: KubernetesObject | undefined): boolean => {
    const claim = asObject(valueAt(volume, 'spec', 'claimRef'));
    const name = asString(claim['name']);
    return name !== '' && usedBy(node, asString(claim['namespace']), (pod) => claims(pod).includes(name));
  };
  return (node, resource, namespace, name) => {
    if (resource === 'pods') return valueAt(view.get(pods, namespace, name), 'spec', 'nodeName') === node;
    const group = ofNode[resource];
    if (group !== undefined) {
      const isSpaced = resource === 'podcertificaterequests';
      return valueAt(view.get({ group, resource }, isSpaced ? namespace : '', name), 'spec', 'nodeName') === node;
    }
    if (resource === 'persistentvolumes') return usesVolume(node, view.get(volumes, '', name));
    const namesIn = named[resource];
    if (namesIn !== undefined && usedBy(node, namespace, (pod) => namesIn(pod).includes(name))) return true;
    if (resource !== 'secrets') return false;
    return view.list(volumes).some((volume) => volumeNamesSecret(volume, namespace, name) && usesVolume(node, volume));
  };
}

const volumes = { group: '', resource: 'persistentvolumes' };

/** Groups of the kinds whose spec names their node. */
const ofNode: Readonly<Record<string, string>> = {
  volumeattachments: 'storage.k8s.io',
  resourceslices: 'resource.k8s.io',
  podcertificaterequests: 'certificates.k8s.io',
};

const isMirror = (pod: KubernetesObject): boolean =>
  metadataOf(pod).annotations?.['kubernetes.io/config.mirror'] !== undefined;

const specOf = (pod: KubernetesObject): JsonObject => asObject(pod['spec']);
const claims = (pod: KubernetesObject): readonly string[] => claimsOf(specOf(pod), metadataOf(pod).name ?? '');

/** The names of each resource in a Pod. */
const named: Readonly<Record<string, (pod: KubernetesObject) => readonly string[]>> = {
  secrets: (pod) => secretsOf(specOf(pod)),
  configmaps: (pod) => configMapsOf(specOf(pod)),
  persistentvolumeclaims: claims,
  serviceaccounts: (pod) => [asString(specOf(pod)['serviceAccountName'])],
  resourceclaims: (pod) => [
    ...[...asList(specOf(pod)['resourceClaims']), ...asList(valueAt(pod, 'status', 'resourceClaimStatuses'))].map(
      (one) => asString(asObject(one)['resourceClaimName']),
    ),
    asString(valueAt(pod, 'status', 'extendedResourceClaimStatus', 'resourceClaimName')),
  ],
};
