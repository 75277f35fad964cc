import {
  certificateApproval,
  certificateSigning,
  clusterTrustBundleAttest,
  certificateSubjectRestriction,
} from './certificate-plugins.ts';
import { defaultIngressClass, defaultStorageClass } from './default-class.ts';
import type { BuiltinPlugin } from '../chain/plugin.ts';
import { alwaysAdmit, alwaysDenyPlugin } from './always.ts';
import { alwaysPullImages } from './always-pull-images.ts';
import { denyServiceExternalIPs } from './deny-service-external-ips.ts';
import { createEventRateLimit } from './event-rate-limit.ts';
import { createImagePolicyWebhook } from './image-policy-webhook.ts';
import { extendedResourceToleration, createDefaultTolerationSeconds } from './toleration-plugins.ts';
import { limitPodHardAntiAffinityTopology } from './limit-pod-hard-anti-affinity-topology.ts';
import { namespaceAutoProvision, namespaceExists, namespaceLifecycle } from './namespace-plugins.ts';
import { ownerReferencesPermissionEnforcement } from './owner-references-permission-enforcement.ts';
import { createPodNodeSelector } from './pod-node-selector.ts';
import { createPodTolerationRestriction } from './pod-toleration-restriction.ts';
import { jobValidation, podGroupProtection, podGroupWorkloadExists } from './pod-group-plugins.ts';
import { limitRanger } from './limit-ranger/limit-ranger.ts';
import { nodeDeclaredFeatureValidator, podResizeValidator } from './bound-pod-plugins.ts';
import { nodeRestriction } from './node-restriction/node-restriction.ts';
import { persistentVolumeClaimResize } from './persistent-volume-claim-resize.ts';
import { createPodSecurity } from './pod-security/pod-security.ts';
import { podTopologyLabels } from './pod-topology-labels.ts';
import { priority } from './priority.ts';
import { defaultSettings, type PluginSettings } from './plugin-settings.ts';
import { createResourceQuota } from './resource-quota.ts';
import { runtimeClass } from './runtime-class.ts';
import { serviceAccount } from './service-account/service-account.ts';
import { storageObjectInUseProtection } from './storage-object-in-use-protection.ts';
import { taintNodesByCondition } from './taint-nodes-by-condition.ts';

/** Created once per chain, with their state; plugin-order.ts has the order. */
export const createBuiltinPlugins = (settings: PluginSettings): ReadonlyMap<string, BuiltinPlugin> =>
  new Map(
    [
      namespaceLifecycle,
      limitRanger,
      serviceAccount,
      nodeRestriction,
      taintNodesByCondition,
      createPodSecurity(settings.podSecurity),
      priority,
      createDefaultTolerationSeconds(settings.tolerationSeconds),
      defaultStorageClass,
      storageObjectInUseProtection,
      podGroupProtection,
      persistentVolumeClaimResize,
      runtimeClass,
      certificateApproval,
      certificateSigning,
      clusterTrustBundleAttest,
      certificateSubjectRestriction,
      defaultIngressClass,
      podTopologyLabels,
      podGroupWorkloadExists,
      nodeDeclaredFeatureValidator,
      jobValidation,
      podResizeValidator,
      createResourceQuota(settings.limitedResources),
      alwaysAdmit,
      namespaceAutoProvision,
      namespaceExists,
      limitPodHardAntiAffinityTopology,
      alwaysPullImages,
      createPodNodeSelector(settings.nodeSelectors),
      createPodTolerationRestriction(settings.podTolerations),
      createEventRateLimit(settings.eventLimits),
      extendedResourceToleration,
      ownerReferencesPermissionEnforcement,
      denyServiceExternalIPs,
      createImagePolicyWebhook(settings.imagePolicy),
      alwaysDenyPlugin,
    ].map((plugin) => [plugin.name, plugin]),
  );

export const builtinNames: ReadonlySet<string> = new Set(createBuiltinPlugins(defaultSettings).keys());
