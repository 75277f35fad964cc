import type { Cells } from './cell.ts';
import { certificateSigningRequestCells, roleBindingCells, flowSchemaCells, priorityLevelCells } from './access.ts';
import * as alpha from './alpha.ts';
import * as admission from './access.ts';
import { autoscalerCells } from './workload.ts';
import * as cluster from './access.ts';
import * as core from './core.ts';
import { eventCells } from './core.ts';
import { evictionCells, evictionRequestCells } from './eviction.ts';
import * as network from './network.ts';
import { definitionCells } from './definition.ts';
import { podCells } from './pod.ts';
import * as storage from './storage.ts';
import * as workload from './workload.ts';

/** The printer of a kind, and its plural in columns.json. */
interface Printer {
  readonly resource: string;
  readonly cells: Cells;
}

/** By group and kind: `apps/Deployment`, `/Pod`. Follows kubernetes pkg/printers/internalversion/printers.go AddHandlers. */
export const printers: ReadonlyMap<string, Printer> = new Map(
  rows([
    ['/ComponentStatus', 'componentstatuses', core.componentStatusCells],
    ['/ConfigMap', 'configmaps', core.configMapCells],
    ['/Endpoints', 'endpoints', network.endpointsCells],
    ['/Event', 'events', eventCells],
    ['/Namespace', 'namespaces', core.namespaceCells],
    ['/Node', 'nodes', core.nodeCells],
    ['/PersistentVolume', 'persistentvolumes', storage.persistentVolumeCells],
    ['/PersistentVolumeClaim', 'persistentvolumeclaims', storage.persistentVolumeClaimCells],
    ['/Pod', 'pods', podCells],
    ['/PodTemplate', 'podtemplates', workload.podTemplateCells],
    ['/ReplicationController', 'replicationcontrollers', workload.replicationControllerCells],
    ['/ResourceQuota', 'resourcequotas', core.resourceQuotaCells],
    ['/Secret', 'secrets', core.secretCells],
    ['/Service', 'services', network.serviceCells],
    ['/ServiceAccount', 'serviceaccounts', core.nameAndAge],
    [
      'admissionregistration.k8s.io/MutatingAdmissionPolicy',
      'mutatingadmissionpolicies',
      admission.mutatingPolicyCells,
    ],
    [
      'admissionregistration.k8s.io/MutatingAdmissionPolicyBinding',
      'mutatingadmissionpolicybindings',
      admission.policyBindingCells,
    ],
    [
      'admissionregistration.k8s.io/MutatingWebhookConfiguration',
      'mutatingwebhookconfigurations',
      admission.webhookConfigurationCells,
    ],
    [
      'admissionregistration.k8s.io/ValidatingAdmissionPolicy',
      'validatingadmissionpolicies',
      admission.validatingPolicyCells,
    ],
    [
      'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding',
      'validatingadmissionpolicybindings',
      admission.policyBindingCells,
    ],
    [
      'admissionregistration.k8s.io/ValidatingWebhookConfiguration',
      'validatingwebhookconfigurations',
      admission.webhookConfigurationCells,
    ],
    ['apiregistration.k8s.io/APIService', 'apiservices', cluster.apiServiceCells],
    ['apps/ControllerRevision', 'controllerrevisions', workload.controllerRevisionCells],
    ['apps/DaemonSet', 'daemonsets', workload.daemonSetCells],
    ['apps/Deployment', 'deployments', workload.deploymentCells],
    ['apps/ReplicaSet', 'replicasets', workload.replicaSetCells],
    ['apps/StatefulSet', 'statefulsets', workload.statefulSetCells],
    ['autoscaling/HorizontalPodAutoscaler', 'horizontalpodautoscalers', autoscalerCells],
    ['batch/CronJob', 'cronjobs', workload.cronJobCells],
    ['batch/Job', 'jobs', workload.jobCells],
    ['certificates.k8s.io/CertificateSigningRequest', 'certificatesigningrequests', certificateSigningRequestCells],
    ['certificates.k8s.io/ClusterTrustBundle', 'clustertrustbundles', alpha.clusterTrustBundleCells],
    ['certificates.k8s.io/PodCertificateRequest', 'podcertificaterequests', alpha.podCertificateRequestCells],
    ['coordination.k8s.io/LeaseCandidate', 'leasecandidates', alpha.leaseCandidateCells],
    ['internal.apiserver.k8s.io/StorageVersion', 'storageversions', alpha.storageVersionCells],
    ['resource.k8s.io/DeviceTaintRule', 'devicetaintrules', alpha.deviceTaintRuleCells],
    ['resource.k8s.io/ResourcePoolStatusRequest', 'resourcepoolstatusrequests', alpha.resourcePoolStatusCells],
    ['lifecycle.k8s.io/Eviction', 'evictions', evictionCells],
    ['lifecycle.k8s.io/EvictionRequest', 'evictionrequests', evictionRequestCells],
    ['scheduling.k8s.io/CompositePodGroup', 'compositepodgroups', alpha.compositePodGroupCells],
    ['scheduling.k8s.io/PodGroup', 'podgroups', alpha.podGroupCells],
    ['scheduling.k8s.io/Workload', 'workloads', core.nameAndAge],
    ['storagemigration.k8s.io/StorageVersionMigration', 'storageversionmigrations', alpha.storageVersionMigrationCells],
    ['apiextensions.k8s.io/CustomResourceDefinition', 'customresourcedefinitions', definitionCells],
    ['coordination.k8s.io/Lease', 'leases', cluster.leaseCells],
    ['discovery.k8s.io/EndpointSlice', 'endpointslices', network.endpointSliceCells],
    ['events.k8s.io/Event', 'events', eventCells],
    ['flowcontrol.apiserver.k8s.io/FlowSchema', 'flowschemas', flowSchemaCells],
    ['flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration', 'prioritylevelconfigurations', priorityLevelCells],
    ['networking.k8s.io/IPAddress', 'ipaddresses', network.ipAddressCells],
    ['networking.k8s.io/Ingress', 'ingresses', network.ingressCells],
    ['networking.k8s.io/IngressClass', 'ingressclasses', network.ingressClassCells],
    ['networking.k8s.io/NetworkPolicy', 'networkpolicies', network.networkPolicyCells],
    ['networking.k8s.io/ServiceCIDR', 'servicecidrs', network.serviceCidrCells],
    ['node.k8s.io/RuntimeClass', 'runtimeclasses', cluster.runtimeClassCells],
    ['policy/PodDisruptionBudget', 'poddisruptionbudgets', workload.podDisruptionBudgetCells],
    ['rbac.authorization.k8s.io/ClusterRoleBinding', 'clusterrolebindings', roleBindingCells],
    ['rbac.authorization.k8s.io/RoleBinding', 'rolebindings', roleBindingCells],
    ['resource.k8s.io/DeviceClass', 'deviceclasses', core.nameAndAge],
    ['resource.k8s.io/ResourceClaim', 'resourceclaims', cluster.resourceClaimCells],
    ['resource.k8s.io/ResourceClaimTemplate', 'resourceclaimtemplates', core.nameAndAge],
    ['resource.k8s.io/ResourceSlice', 'resourceslices', cluster.resourceSliceCells],
    ['scheduling.k8s.io/PriorityClass', 'priorityclasses', cluster.priorityClassCells],
    ['storage.k8s.io/CSIDriver', 'csidrivers', storage.csiDriverCells],
    ['storage.k8s.io/CSINode', 'csinodes', storage.csiNodeCells],
    ['storage.k8s.io/StorageClass', 'storageclasses', storage.storageClassCells],
    ['storage.k8s.io/VolumeAttachment', 'volumeattachments', storage.volumeAttachmentCells],
    ['storage.k8s.io/VolumeAttributesClass', 'volumeattributesclasses', storage.volumeAttributesClassCells],
  ]),
);

function rows(
  table: readonly (readonly [kind: string, resource: string, cells: Cells])[],
): readonly (readonly [string, Printer])[] {
  return table.map(([kind, resource, cells]) => [kind, { resource, cells }]);
}
