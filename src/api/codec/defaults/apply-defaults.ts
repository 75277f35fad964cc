import type { JsonObject } from '../../../machinery/json/json.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { podCertificateRequest, podGroup, resourcePoolStatusRequest, roleBinding } from './control-plane.ts';
import * as admission from './admission-configurations.ts';
import { autoscalerV1, autoscalerV2, cronJob, job } from './workloads.ts';
import * as controlPlane from './control-plane.ts';
import * as core from './core.ts';
import { customResourceDefinition } from './custom-resource-definition.ts';
import { csiDriver, persistentVolume, persistentVolumeClaim, storageClass } from './storage.ts';
import { pod } from './pod.ts';
import { createClaimDefaults, createClaimTemplateDefaults } from './resource-claims.ts';
import { endpoints, endpointSlice, ingressClass, networkPolicy, service } from './services.ts';
import * as workloads from './workloads.ts';

/**
 * The same object when nothing changes; includes changes by the round trip through the internal version. Follows the
 * SetDefaults functions of kubernetes pkg/apis.
 */
export function applyDefaults(object: KubernetesObject): KubernetesObject {
  const defaulter = defaulters.get(`${object.apiVersion}/${object.kind}`);
  if (defaulter === undefined) return object;
  const defaulted = defaulter(object);
  return defaulted === object ? object : { kind: object.kind, apiVersion: object.apiVersion, ...defaulted };
}

type Defaulter = (object: KubernetesObject) => JsonObject;

const groups: Readonly<Record<string, Readonly<Record<string, Defaulter>>>> = {
  v1: {
    Endpoints: endpoints,
    LimitRange: core.limitRange,
    Namespace: core.namespace,
    Node: core.node,
    PersistentVolume: persistentVolume,
    PersistentVolumeClaim: persistentVolumeClaim,
    Pod: pod,
    PodTemplate: workloads.podTemplate,
    ReplicationController: workloads.replicationController,
    ResourceQuota: core.resourceQuota,
    Secret: core.secret,
    Service: service,
  },
  'admissionregistration.k8s.io/v1': {
    MutatingAdmissionPolicy: admission.admissionPolicy,
    MutatingAdmissionPolicyBinding: admission.createPolicyBindingDefaults('v1'),
    MutatingWebhookConfiguration: admission.mutatingWebhookConfiguration,
    ValidatingAdmissionPolicy: admission.admissionPolicy,
    ValidatingAdmissionPolicyBinding: admission.createPolicyBindingDefaults('v1'),
    ValidatingWebhookConfiguration: admission.validatingWebhookConfiguration,
  },
  'admissionregistration.k8s.io/v1beta1': {
    MutatingAdmissionPolicy: admission.admissionPolicy,
    MutatingAdmissionPolicyBinding: admission.createPolicyBindingDefaults('v1beta1'),
    // Until 1.33.
    ValidatingAdmissionPolicy: admission.admissionPolicy,
    ValidatingAdmissionPolicyBinding: admission.createPolicyBindingDefaults('v1beta1'),
  },
  'admissionregistration.k8s.io/v1alpha1': {
    MutatingAdmissionPolicy: admission.admissionPolicy,
    MutatingAdmissionPolicyBinding: admission.createPolicyBindingDefaults('v1alpha1'),
  },
  'apiextensions.k8s.io/v1': { CustomResourceDefinition: customResourceDefinition },
  'apiregistration.k8s.io/v1': { APIService: controlPlane.apiService },
  'apps/v1': {
    DaemonSet: workloads.daemonSet,
    Deployment: workloads.deployment,
    ReplicaSet: workloads.replicaSet,
    StatefulSet: workloads.statefulSet,
  },
  'authentication.k8s.io/v1': { TokenRequest: controlPlane.tokenRequest },
  'autoscaling/v1': { HorizontalPodAutoscaler: autoscalerV1 },
  'autoscaling/v2': { HorizontalPodAutoscaler: autoscalerV2 },
  'batch/v1': { CronJob: cronJob, Job: job },
  'discovery.k8s.io/v1': { EndpointSlice: endpointSlice },
  'flowcontrol.apiserver.k8s.io/v1': {
    FlowSchema: controlPlane.flowSchema,
    PriorityLevelConfiguration: controlPlane.priorityLevelConfiguration,
  },
  'networking.k8s.io/v1': { IngressClass: ingressClass, NetworkPolicy: networkPolicy },
  'rbac.authorization.k8s.io/v1': { ClusterRoleBinding: roleBinding, RoleBinding: roleBinding },
  'certificates.k8s.io/v1': { PodCertificateRequest: podCertificateRequest },
  'certificates.k8s.io/v1beta1': { PodCertificateRequest: podCertificateRequest },
  ...Object.fromEntries(
    (['v1', 'v1beta2', 'v1beta1'] as const).map((version) => [
      `resource.k8s.io/${version}`,
      { ResourceClaim: createClaimDefaults(version), ResourceClaimTemplate: createClaimTemplateDefaults(version) },
    ]),
  ),
  'resource.k8s.io/v1alpha3': { ResourcePoolStatusRequest: resourcePoolStatusRequest },
  'scheduling.k8s.io/v1alpha2': { PodGroup: controlPlane.podGroupV1alpha2 },
  'scheduling.k8s.io/v1alpha3': { PodGroup: podGroup, CompositePodGroup: podGroup },
  'scheduling.k8s.io/v1beta1': { PodGroup: podGroup },
  'scheduling.k8s.io/v1': { PriorityClass: controlPlane.priorityClass },
  'storage.k8s.io/v1': { CSIDriver: csiDriver, StorageClass: storageClass },
};

const defaulters: ReadonlyMap<string, Defaulter> = new Map(
  Object.entries(groups).flatMap(([apiVersion, kinds]) =>
    Object.entries(kinds).map(([kind, defaulter]) => [`${apiVersion}/${kind}`, defaulter]),
  ),
);
