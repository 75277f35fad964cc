/**
 * Kinds of versions that upstream no longer serves and whose types it still registers, so that a body of one is of the
 * wrong version, not of no kind. Follows the install packages of kubernetes pkg/apis and the register.go files of k8s.io/api.
 */
const legacyKinds: Readonly<Record<string, readonly string[]>> = {
  'apiextensions.k8s.io/v1beta1': ['CustomResourceDefinition'],
  'apps/v1beta1': ['ControllerRevision', 'Deployment', 'DeploymentRollback', 'Scale', 'StatefulSet'],
  'apps/v1beta2': ['ControllerRevision', 'DaemonSet', 'Deployment', 'ReplicaSet', 'Scale', 'StatefulSet'],
  'authentication.k8s.io/v1alpha1': ['SelfSubjectReview'],
  'authentication.k8s.io/v1beta1': ['SelfSubjectReview', 'TokenReview'],
  'authorization.k8s.io/v1beta1': [
    'LocalSubjectAccessReview',
    'SelfSubjectAccessReview',
    'SelfSubjectRulesReview',
    'SubjectAccessReview',
  ],
  'batch/v1beta1': ['CronJob'],
  'discovery.k8s.io/v1beta1': ['EndpointSlice'],
  'events.k8s.io/v1beta1': ['Event'],
  'extensions/v1beta1': [
    'DaemonSet',
    'Deployment',
    'DeploymentRollback',
    'Ingress',
    'NetworkPolicy',
    'ReplicaSet',
    'Scale',
  ],
  'flowcontrol.apiserver.k8s.io/v1beta1': ['FlowSchema', 'PriorityLevelConfiguration'],
  'flowcontrol.apiserver.k8s.io/v1beta2': ['FlowSchema', 'PriorityLevelConfiguration'],
  'flowcontrol.apiserver.k8s.io/v1beta3': ['FlowSchema', 'PriorityLevelConfiguration'],
  'node.k8s.io/v1alpha1': ['RuntimeClass'],
  'node.k8s.io/v1beta1': ['RuntimeClass'],
  'policy/v1beta1': ['Eviction', 'PodDisruptionBudget'],
  'rbac.authorization.k8s.io/v1alpha1': ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
  'rbac.authorization.k8s.io/v1beta1': ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
  'scheduling.k8s.io/v1alpha1': ['PriorityClass'],
  'scheduling.k8s.io/v1beta1': ['PriorityClass'],
  'storage.k8s.io/v1alpha1': ['CSIStorageCapacity', 'VolumeAttachment', 'VolumeAttributesClass'],
};

/** Is this one of upstream's kinds of long ago? */
export const isLegacyKind = (apiVersion: string, kind: string): boolean =>
  Object.hasOwn(legacyKinds, apiVersion) && (legacyKinds[apiVersion] ?? []).includes(kind);
