import type { KubernetesObject } from '../../apimachinery/object.ts';
import { validateConfigMap, validateConfigMapUpdate, validateSecret, validateSecretUpdate } from './config-data.ts';
import type { Complaints } from './field-rules.ts';
import { validateCronJob, validateCronJobUpdate, validateJob, validateJobUpdate } from './jobs.ts';
import { validateClaim, validateClaimUpdate } from './persistent-volume-claim.ts';
import { validatePodUpdate } from './pod-update.ts';
import { validatePod } from './pod.ts';
import { validateService, validateServiceUpdate } from './service.ts';
import { validateStatefulSet, validateStatefulSetUpdate } from './stateful-set.ts';
import {
  selectedUpdate,
  validateDaemonSet,
  validateDeployment,
  validateDeploymentUpdate,
  validateReplicaSet,
  validateReplicationController,
} from './workloads.ts';

/** What a kind's validation says beside what holds for all metadata. */
export interface KindValidation {
  readonly validate?: (object: KubernetesObject) => Complaints;
  readonly validateUpdate?: (object: KubernetesObject, old: KubernetesObject, subresource: string) => Complaints;
}

/** The kinds with rules of their own, by group and resource. */
export const kindValidations: Readonly<Record<string, KindValidation>> = {
  '/pods': { validate: validatePod, validateUpdate: validatePodUpdate },
  '/configmaps': { validate: validateConfigMap, validateUpdate: validateConfigMapUpdate },
  '/secrets': { validate: validateSecret, validateUpdate: validateSecretUpdate },
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
};
