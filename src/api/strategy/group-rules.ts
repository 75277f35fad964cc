import { balancerIpWarnings } from '../validation/core/ip-warnings.ts';
import { asList, asObject, asString } from '../../machinery/json/json.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import { metadataOf } from '../../machinery/meta/object.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { pathSegment } from '../validation/meta/name-rule.ts';
import { apiServiceRules } from './api-services.ts';
import { certificateSigningRequestRules } from './certificate-signing-requests.ts';
import { storageClassWarnings } from './deprecation-warnings.ts';
import { changeOf } from './generation.ts';
import type { ResourceRules } from './resource-rules.ts';

const rbacRules: ResourceRules = { name: pathSegment, allowCreateOnUpdate: true };
const eventRules: ResourceRules = { tellsMetadata: true, allowCreateOnUpdate: true };

/** Resources of other groups with a little of their own. */
export const groupRules: Readonly<Record<string, ResourceRules>> = {
  '/events': eventRules,
  'events.k8s.io/events': eventRules,
  'networking.k8s.io/ingresses': {
    newGeneration: changeOf('spec'),
    emptyStatus: { loadBalancer: {} },
    warningsOnCreate: classAnnotationWarning,
    warningsOnUpdate: (ingress, _old, subresource) => (subresource === 'status' ? balancerIpWarnings(ingress) : []),
  },
  'policy/poddisruptionbudgets': {
    tellsMetadata: true,
    needsResourceVersion: true,
    newGeneration: changeOf('spec'),
    emptyStatus: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
  },
  'autoscaling/horizontalpodautoscalers': { emptyStatus: emptyAutoscalerStatus },
  'certificates.k8s.io/certificatesigningrequests': certificateSigningRequestRules,
  'storage.k8s.io/storageclasses': {
    scope: 'Cluster',
    returnsDeletedObject: true,
    warningsOnCreate: storageClassWarnings,
    warningsOnUpdate: storageClassWarnings,
  },

  'rbac.authorization.k8s.io/roles': rbacRules,
  'rbac.authorization.k8s.io/rolebindings': rbacRules,
  'rbac.authorization.k8s.io/clusterroles': { ...rbacRules, scope: 'Cluster' },
  'rbac.authorization.k8s.io/clusterrolebindings': { ...rbacRules, scope: 'Cluster' },

  'apiregistration.k8s.io/apiservices': apiServiceRules,
  'apiextensions.k8s.io/customresourcedefinitions': {
    scope: 'Cluster',
    anyFinalizer: true,
    needsResourceVersion: true,
    newGeneration: changeOf('spec'),
    emptyStatus: emptyDefinitionStatus,
  },
};

/** Follows kubernetes pkg/registry/networking/ingress/strategy.go WarningsOnCreate. */
function classAnnotationWarning(ingress: KubernetesObject): readonly string[] {
  const annotation = 'kubernetes.io/ingress.class';
  const isSet = metadataOf(ingress).annotations?.[annotation] !== undefined;
  if (!isSet || asObject(ingress['spec'])['ingressClassName'] !== undefined) return [];
  return [`annotation "${annotation}" is deprecated, please use 'spec.ingressClassName' instead`];
}

function emptyAutoscalerStatus({ apiVersion }: KubernetesObject): JsonObject {
  return apiVersion === 'autoscaling/v1'
    ? { currentReplicas: 0, desiredReplicas: 0 }
    : { desiredReplicas: 0, currentMetrics: null };
}

/** A new definition has stored nothing yet, and will store its storage version. Follows apiextensions-apiserver pkg/registry/customresourcedefinition/strategy.go. */
function emptyDefinitionStatus(definition: KubernetesObject): JsonObject {
  const versions = asList(asObject(definition['spec'])['versions']).map(asObject);
  const storage = versions.find((version) => version['storage'] === true);
  return {
    conditions: null,
    acceptedNames: { plural: '', kind: '' },
    storedVersions: storage ? [asString(storage['name'])] : null,
  };
}
