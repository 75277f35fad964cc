import type { KubernetesObject } from '../../apimachinery/object.ts';
import { validateBinding, validateBindingUpdate, validateRole, validateRoleUpdate } from './access-control.ts';
import {
  validateDeviceTaintRule,
  validateLeaseCandidate,
  validateLeaseCandidateUpdate,
  validatePodGroup,
  validatePodGroupUpdate,
  validateStorageVersionMigration,
  validateStorageVersionMigrationUpdate,
  validateWorkload,
  validateWorkloadUpdate,
} from './alpha-apis.ts';
import { validateApiService, validateApiServiceUpdate } from './api-service.ts';
import {
  validateAutoscaler,
  validateAutoscalerUpdate,
  validateControllerRevision,
  validateControllerRevisionUpdate,
  validateDisruptionBudget,
  validateDisruptionBudgetUpdate,
  validateLease,
  validateRuntimeClass,
  validateRuntimeClassUpdate,
} from './autoscaling.ts';
import {
  validateCertificateSigningRequest,
  validateCertificateSigningRequestUpdate,
} from './certificate-signing-request.ts';
import { validateConfigMap, validateConfigMapUpdate, validateSecret, validateSecretUpdate } from './config-data.ts';
import type { Complaints } from './field-rules.ts';
import {
  validateIngress,
  validateIngressClass,
  validateIngressClassUpdate,
  validateIngressUpdate,
  validateNetworkPolicy,
} from './ingress.ts';
import { validateEndpoints, validateEndpointsUpdate } from './endpoints.ts';
import { validateCronJob, validateCronJobUpdate, validateJob, validateJobUpdate } from './jobs.ts';
import { validateNamespace, validateNamespaceUpdate } from './namespace.ts';
import { validateClaim, validateClaimUpdate } from './persistent-volume-claim.ts';
import { validatePodUpdate } from './pod-update.ts';
import { validatePod } from './pod.ts';
import { validateLimitRange, validateResourceQuota, validateResourceQuotaUpdate } from './quota.ts';
import { validatePriorityClass, validatePriorityClassUpdate } from './scheduling.ts';
import { validateClusterTrustBundle, validateClusterTrustBundleUpdate } from './trust-bundle.ts';
import { validateService, validateServiceUpdate } from './service.ts';
import { validateStatefulSet, validateStatefulSetUpdate } from './stateful-set.ts';
import {
  validateAttributesClassUpdate,
  validateCsiDriverUpdate,
  validateStorageClass,
  validateStorageClassUpdate,
  validateVolume,
  validateVolumeUpdate,
} from './storage.ts';
import {
  selectedUpdate,
  validateDaemonSet,
  validateDeployment,
  validateDeploymentUpdate,
  validateReplicaSet,
  validateReplicationController,
} from './workloads.ts';

/** What a kind's validation says beside what holds for all metadata. */
interface KindValidation {
  readonly validate?: (object: KubernetesObject) => Complaints;
  readonly validateUpdate?: (object: KubernetesObject, old: KubernetesObject, subresource: string) => Complaints;
}

/** The kinds with rules of their own, by group and resource. */
export const kindValidations: Readonly<Record<string, KindValidation>> = {
  'apiregistration.k8s.io/apiservices': { validate: validateApiService, validateUpdate: validateApiServiceUpdate },
  '/pods': { validate: validatePod, validateUpdate: validatePodUpdate },
  '/configmaps': { validate: validateConfigMap, validateUpdate: validateConfigMapUpdate },
  '/secrets': { validate: validateSecret, validateUpdate: validateSecretUpdate },
  '/endpoints': { validate: validateEndpoints, validateUpdate: validateEndpointsUpdate },
  '/services': { validate: validateService, validateUpdate: validateServiceUpdate },
  '/persistentvolumeclaims': { validate: validateClaim, validateUpdate: validateClaimUpdate },
  '/replicationcontrollers': {
    validate: validateReplicationController,
    validateUpdate: selectedUpdate(validateReplicationController, false),
  },
  'apps/deployments': { validate: validateDeployment, validateUpdate: validateDeploymentUpdate },
  'apps/replicasets': { validate: validateReplicaSet, validateUpdate: selectedUpdate(validateReplicaSet, true) },
  'apps/daemonsets': { validate: validateDaemonSet, validateUpdate: selectedUpdate(validateDaemonSet, true) },
  'apps/statefulsets': { validate: validateStatefulSet, validateUpdate: validateStatefulSetUpdate },
  'batch/jobs': { validate: validateJob, validateUpdate: validateJobUpdate },
  'batch/cronjobs': { validate: validateCronJob, validateUpdate: validateCronJobUpdate },
  'apps/controllerrevisions': {
    validate: validateControllerRevision,
    validateUpdate: validateControllerRevisionUpdate,
  },
  '/namespaces': { validate: validateNamespace, validateUpdate: validateNamespaceUpdate },
  '/limitranges': { validate: validateLimitRange, validateUpdate: validateLimitRange },
  '/resourcequotas': { validate: validateResourceQuota, validateUpdate: validateResourceQuotaUpdate },
  '/persistentvolumes': { validate: validateVolume, validateUpdate: validateVolumeUpdate },
  'networking.k8s.io/ingresses': { validate: validateIngress, validateUpdate: validateIngressUpdate },
  'networking.k8s.io/ingressclasses': { validate: validateIngressClass, validateUpdate: validateIngressClassUpdate },
  'networking.k8s.io/networkpolicies': { validate: validateNetworkPolicy, validateUpdate: validateNetworkPolicy },
  'rbac.authorization.k8s.io/roles': { validate: validateRole, validateUpdate: validateRoleUpdate },
  'rbac.authorization.k8s.io/clusterroles': { validate: validateRole, validateUpdate: validateRoleUpdate },
  'rbac.authorization.k8s.io/rolebindings': { validate: validateBinding, validateUpdate: validateBindingUpdate },
  'rbac.authorization.k8s.io/clusterrolebindings': { validate: validateBinding, validateUpdate: validateBindingUpdate },
  'scheduling.k8s.io/priorityclasses': { validate: validatePriorityClass, validateUpdate: validatePriorityClassUpdate },
  'policy/poddisruptionbudgets': { validate: validateDisruptionBudget, validateUpdate: validateDisruptionBudgetUpdate },
  'autoscaling/horizontalpodautoscalers': {
    validate: (autoscaler) => validateAutoscaler(autoscaler),
    validateUpdate: validateAutoscalerUpdate,
  },
  'coordination.k8s.io/leases': { validate: validateLease, validateUpdate: validateLease },
  'node.k8s.io/runtimeclasses': { validate: validateRuntimeClass, validateUpdate: validateRuntimeClassUpdate },
  'certificates.k8s.io/certificatesigningrequests': {
    validate: (request) => validateCertificateSigningRequest(request),
    validateUpdate: validateCertificateSigningRequestUpdate,
  },
  'certificates.k8s.io/clustertrustbundles': {
    validate: (bundle) => validateClusterTrustBundle(bundle),
    validateUpdate: validateClusterTrustBundleUpdate,
  },
  'coordination.k8s.io/leasecandidates': {
    validate: validateLeaseCandidate,
    validateUpdate: validateLeaseCandidateUpdate,
  },
  'resource.k8s.io/devicetaintrules': { validate: validateDeviceTaintRule, validateUpdate: validateDeviceTaintRule },
  'scheduling.k8s.io/podgroups': { validate: validatePodGroup, validateUpdate: validatePodGroupUpdate },
  'scheduling.k8s.io/workloads': { validate: validateWorkload, validateUpdate: validateWorkloadUpdate },
  'storagemigration.k8s.io/storageversionmigrations': {
    validate: validateStorageVersionMigration,
    validateUpdate: validateStorageVersionMigrationUpdate,
  },
  'storage.k8s.io/storageclasses': { validate: validateStorageClass, validateUpdate: validateStorageClassUpdate },
  'storage.k8s.io/csidrivers': { validateUpdate: validateCsiDriverUpdate },
  'storage.k8s.io/volumeattributesclasses': { validateUpdate: validateAttributesClassUpdate },
};
