import { asObject } from '../../machinery/json/json.ts';
import { metadataOf, type KubernetesObject } from '../../machinery/meta/object.ts';
import { validateRoleBinding, validateRoleBindingUpdate, validateRole } from './rbac/access-control.ts';
import * as alpha from './alpha-apis.ts';
import { validateApiService, validateApiServiceUpdate } from './apiregistration/api-service.ts';
import * as autoscaling from './autoscaling/autoscaling.ts';
import * as certificates from './certificates/certificate-signing-request.ts';
import * as configData from './core/config-data.ts';
import type { FieldErrors } from './field-rules.ts';
import type { BuiltinResources } from '../types/generated/kinds.ts';
import type { PodTemplate } from '../types/generated/core-v1.ts';
import * as ingress from './networking/ingress.ts';
import { withAddressRatcheting, listPolicyNetworks, listServiceAddresses } from './core/ip-address.ts';
import { validateNetworkPolicy } from './networking/network-policy.ts';
import { validateCronJob, validateCronJobUpdate } from './batch/cron-jobs.ts';
import { validateJob, validateJobUpdate } from './batch/jobs.ts';
import { validateNamespace, validateNamespaceUpdate } from './core/namespace.ts';
import { validatePersistentVolumeClaim, validatePersistentVolumeClaimUpdate } from './core/persistent-volume-claim.ts';
import { validatePodUpdate } from './core/pod-update.ts';
import { validatePod } from './core/pod.ts';
import { validateResourceSlice, validateResourceSliceUpdate } from './resource/resource-slices.ts';
import { validateRuntimeClass, validateRuntimeClassUpdate } from './node/runtime-class.ts';
import { validateLimitRange } from './core/limit-range.ts';
import { validateResourceQuota, validateResourceQuotaUpdate } from './core/quota.ts';
import { validatePriorityClass, validatePriorityClassUpdate } from './scheduling/scheduling.ts';
import { validateClusterTrustBundle, validateClusterTrustBundleUpdate } from './certificates/trust-bundle.ts';
import { validateService, validateServiceUpdate } from './core/service.ts';
import { validateStatefulSet, validateStatefulSetUpdate } from './apps/stateful-set.ts';
import * as csi from './storage/csi.ts';
import { validateResourceClaimStatusUpdate } from './resource/claim-status.ts';
import { validateDaemonSet, validateDaemonSetUpdate } from './apps/daemon-set.ts';
import * as devices from './resource/device-claims.ts';
import { validateEndpointSlice, validateEndpointSliceUpdate } from './discovery/endpoint-slice.ts';
import { validateEndpoints, validateEndpointsUpdate } from './core/endpoints.ts';
import { validateCoreEvent, validateEventCreate, validateEventUpdate } from './core/events.ts';
import { validateFlowControlConditions, validateFlowSchema } from './flowcontrol/flow-control.ts';
import { subdomainName, validateCoreObjectMeta } from './meta/object-meta.ts';
import { validateNode, validateNodeUpdate } from './core/nodes.ts';
import { validatePodTemplateSpec } from './core/pod-template.ts';
import { validatePriorityLevelConfiguration } from './flowcontrol/priority-level.ts';
import * as addresses from './networking/service-cidr.ts';
import { validatePersistentVolume, validatePersistentVolumeUpdate } from './core/persistent-volume.ts';
import * as storageClass from './storage/storage-class.ts';
import { validateVolumeAttachment, validateVolumeAttachmentUpdate } from './storage/volume-attachment.ts';
import * as workloads from './apps/workloads.ts';

/** Validation in addition to metadata; objects were decoded as the kind of their row. */
interface KindValidation<Kind extends KubernetesObject = KubernetesObject> {
  readonly validate?: (object: Kind) => FieldErrors;
  readonly validateUpdate?: (object: Kind, old: Kind, subresource: string) => FieldErrors;
}

/** By group and resource. */
const rows: { readonly [Resource in keyof BuiltinResources]?: KindValidation<BuiltinResources[Resource]> } = {
  'apiregistration.k8s.io/apiservices': { validate: validateApiService, validateUpdate: validateApiServiceUpdate },
  '/pods': { validate: validatePod, validateUpdate: validatePodUpdate },
  '/configmaps': { validate: configData.validateConfigMap, validateUpdate: configData.validateConfigMapUpdate },
  '/secrets': { validate: configData.validateSecret, validateUpdate: configData.validateSecretUpdate },
  '/services': {
    validate: validateService,
    validateUpdate: withAddressRatcheting(validateServiceUpdate, listServiceAddresses),
  },
  '/persistentvolumeclaims': {
    validate: validatePersistentVolumeClaim,
    validateUpdate: validatePersistentVolumeClaimUpdate,
  },
  '/replicationcontrollers': {
    validate: workloads.validateReplicationController,
    validateUpdate: workloads.createReplicasUpdateValidation(workloads.validateReplicationController, false),
  },
  'apps/deployments': { validate: workloads.validateDeployment, validateUpdate: workloads.validateDeploymentUpdate },
  'apps/replicasets': {
    validate: workloads.validateReplicaSet,
    validateUpdate: workloads.createReplicasUpdateValidation(workloads.validateReplicaSet, true),
  },
  'apps/daemonsets': { validate: validateDaemonSet, validateUpdate: validateDaemonSetUpdate },
  'apps/statefulsets': { validate: (set) => validateStatefulSet(set), validateUpdate: validateStatefulSetUpdate },
  'batch/jobs': { validate: validateJob, validateUpdate: validateJobUpdate },
  'batch/cronjobs': { validate: validateCronJob, validateUpdate: validateCronJobUpdate },
  'apps/controllerrevisions': {
    validate: autoscaling.validateControllerRevision,
    validateUpdate: autoscaling.validateControllerRevisionUpdate,
  },
  '/namespaces': { validate: validateNamespace, validateUpdate: validateNamespaceUpdate },
  '/limitranges': { validate: validateLimitRange, validateUpdate: validateLimitRange },
  '/resourcequotas': { validate: validateResourceQuota, validateUpdate: validateResourceQuotaUpdate },
  '/persistentvolumes': {
    validate: validatePersistentVolume,
    validateUpdate: validatePersistentVolumeUpdate,
  },
  'networking.k8s.io/ingresses': { validate: ingress.validateIngress, validateUpdate: ingress.validateIngressUpdate },
  'networking.k8s.io/ingressclasses': {
    validate: ingress.validateIngressClass,
    validateUpdate: ingress.validateIngressClassUpdate,
  },
  'networking.k8s.io/networkpolicies': {
    validate: validateNetworkPolicy,
    validateUpdate: withAddressRatcheting(validateNetworkPolicy, listPolicyNetworks),
  },
  'rbac.authorization.k8s.io/roles': { validate: validateRole },
  'rbac.authorization.k8s.io/clusterroles': { validate: validateRole },
  'rbac.authorization.k8s.io/rolebindings': {
    validate: validateRoleBinding,
    validateUpdate: validateRoleBindingUpdate,
  },
  'rbac.authorization.k8s.io/clusterrolebindings': {
    validate: validateRoleBinding,
    validateUpdate: validateRoleBindingUpdate,
  },
  'scheduling.k8s.io/priorityclasses': { validate: validatePriorityClass, validateUpdate: validatePriorityClassUpdate },
  'policy/poddisruptionbudgets': {
    validate: autoscaling.validatePodDisruptionBudget,
    validateUpdate: autoscaling.validatePodDisruptionBudgetUpdate,
  },
  'autoscaling/horizontalpodautoscalers': {
    validate: (autoscaler) => autoscaling.validateHorizontalPodAutoscaler(autoscaler),
    validateUpdate: autoscaling.validateHorizontalPodAutoscalerUpdate,
  },
  'coordination.k8s.io/leases': { validate: autoscaling.validateLease, validateUpdate: autoscaling.validateLease },
  'node.k8s.io/runtimeclasses': { validate: validateRuntimeClass, validateUpdate: validateRuntimeClassUpdate },
  'certificates.k8s.io/certificatesigningrequests': {
    validate: (request) => certificates.validateCertificateSigningRequest(request),
    validateUpdate: certificates.validateCertificateSigningRequestUpdate,
  },
  'certificates.k8s.io/clustertrustbundles': {
    validate: (bundle) => validateClusterTrustBundle(bundle),
    validateUpdate: validateClusterTrustBundleUpdate,
  },
  'coordination.k8s.io/leasecandidates': {
    validate: alpha.validateLeaseCandidate,
    validateUpdate: alpha.validateLeaseCandidateUpdate,
  },
  'resource.k8s.io/devicetaintrules': {
    validate: alpha.validateDeviceTaintRule,
    validateUpdate: alpha.validateDeviceTaintRule,
  },
  'scheduling.k8s.io/podgroups': { validate: alpha.validatePodGroup, validateUpdate: alpha.validatePodGroupUpdate },
  'scheduling.k8s.io/workloads': { validate: alpha.validateWorkload, validateUpdate: alpha.validateWorkloadUpdate },
  'storagemigration.k8s.io/storageversionmigrations': {
    validate: alpha.validateStorageVersionMigration,
    validateUpdate: alpha.validateStorageVersionMigrationUpdate,
  },
  'storage.k8s.io/storageclasses': {
    validate: storageClass.validateStorageClass,
    validateUpdate: storageClass.validateStorageClassUpdate,
  },
  'storage.k8s.io/csidrivers': { validate: csi.validateCsiDriver, validateUpdate: csi.validateCsiDriverUpdate },
  'storage.k8s.io/csinodes': { validate: csi.validateCsiNode, validateUpdate: csi.validateCsiNodeUpdate },
  'storage.k8s.io/csistoragecapacities': {
    validate: csi.validateCsiStorageCapacity,
    validateUpdate: csi.validateCsiStorageCapacityUpdate,
  },
  'storage.k8s.io/volumeattachments': {
    validate: validateVolumeAttachment,
    validateUpdate: validateVolumeAttachmentUpdate,
  },
  'storage.k8s.io/volumeattributesclasses': {
    validate: storageClass.validateVolumeAttributesClass,
    validateUpdate: storageClass.validateVolumeAttributesClassUpdate,
  },
  '/endpoints': { validate: validateEndpoints, validateUpdate: validateEndpointsUpdate },
  '/events': { validate: validateCoreEvent, validateUpdate: validateCoreEvent },
  'events.k8s.io/events': { validate: validateEventCreate, validateUpdate: validateEventUpdate },
  'resource.k8s.io/deviceclasses': {
    validate: devices.validateDeviceClass,
    validateUpdate: devices.validateDeviceClassUpdate,
  },
  'resource.k8s.io/resourceslices': { validate: validateResourceSlice, validateUpdate: validateResourceSliceUpdate },
  'resource.k8s.io/resourceclaims': {
    validate: devices.validateResourceClaim,
    validateUpdate: (claim, old, subresource) =>
      subresource === 'status'
        ? validateResourceClaimStatusUpdate(claim, old)
        : devices.validateResourceClaimUpdate(claim, old),
  },
  'resource.k8s.io/resourceclaimtemplates': {
    validate: devices.validateResourceClaimTemplate,
    validateUpdate: devices.validateResourceClaimTemplateUpdate,
  },
  '/serviceaccounts': { validateUpdate: (account) => validateCoreObjectMeta(metadataOf(account), true, subdomainName) },
  '/nodes': { validate: validateNode, validateUpdate: validateNodeUpdate },
  '/podtemplates': { validate: validatePodTemplate, validateUpdate: validatePodTemplate },
  'discovery.k8s.io/endpointslices': { validate: validateEndpointSlice, validateUpdate: validateEndpointSliceUpdate },
  'networking.k8s.io/ipaddresses': {
    validate: addresses.validateIpAddress,
    validateUpdate: addresses.validateIpAddressUpdate,
  },
  'networking.k8s.io/servicecidrs': {
    validate: addresses.validateServiceCidr,
    validateUpdate: addresses.validateServiceCidrUpdate,
  },
  'flowcontrol.apiserver.k8s.io/flowschemas': createFlowControlValidation(validateFlowSchema),
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations': createFlowControlValidation(
    validatePriorityLevelConfiguration,
  ),
};

export const kindValidations: Readonly<Record<string, KindValidation | undefined>> = rows;

/** For a status update only conditions are validated. */
function createFlowControlValidation(validate: (object: KubernetesObject) => FieldErrors): KindValidation {
  return {
    validate,
    validateUpdate: (object, _old, subresource) =>
      subresource === 'status'
        ? validateFlowControlConditions(object)
        : [...validateCoreObjectMeta(metadataOf(object), false, subdomainName), ...validate(object)],
  };
}

function validatePodTemplate(object: PodTemplate): FieldErrors {
  return validatePodTemplateSpec(asObject(object.template), 'template');
}
