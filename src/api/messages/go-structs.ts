/**
 * Go's internal types that error messages print, field by field. Follows kubernetes pkg/apis/…/types.go, apiextensions-apiserver
 * pkg/apis/apiextensions/types.go and apimachinery pkg/apis/meta/v1/types.go of 1.32 and 1.33.
 */
export const structs: Readonly<Record<string, string>> = {
  'admissionregistration.AuditAnnotation': 'Key string, ValueExpression string',
  'apiextensions.CustomResourceColumnDefinition':
    'Name string, Type string, Format string, Description string, Priority int32, JSONPath string',
  'apiextensions.CustomResourceDefinitionVersion':
    'Name string, Served bool, Storage bool, Deprecated bool, DeprecationWarning *string, Schema *apiextensions.CustomResourceValidation, Subresources *apiextensions.CustomResourceSubresources, AdditionalPrinterColumns []apiextensions.CustomResourceColumnDefinition, SelectableFields []apiextensions.SelectableField',
  'apiextensions.SelectableField': 'JSONPath string',
  'apiextensions.ValidationRule':
    'Rule string, Message string, MessageExpression string, Reason *apiextensions.FieldValueErrorReason, FieldPath string, OptionalOldSelf *bool',
  'core.HostIP': 'IP string',
  'core.LocalObjectReference': 'Name string',
  'core.NodeAddress': 'Type core.NodeAddressType, Address string',
  'core.PodIP': 'IP string',
  'core.SecurityContext':
    'Capabilities *core.Capabilities, Privileged *bool, SELinuxOptions *core.SELinuxOptions, WindowsOptions *core.WindowsSecurityContextOptions, RunAsUser *int64, RunAsGroup *int64, RunAsNonRoot *bool, ReadOnlyRootFilesystem *bool, AllowPrivilegeEscalation *bool, ProcMount *core.ProcMountType, SeccompProfile *core.SeccompProfile, AppArmorProfile *core.AppArmorProfile',
  'core.Taint': 'Key string, Value string, Effect core.TaintEffect, TimeAdded *v1.Time',
  'core.Toleration':
    'Key string, Operator core.TolerationOperator, Value string, Effect core.TaintEffect, TolerationSeconds *int64',
  'v1.OwnerReference':
    'APIVersion string, Kind string, Name string, UID types.UID, Controller *bool, BlockOwnerDeletion *bool',
  'rbac.RoleRef': 'APIGroup string, Kind string, Name string',
  'v1.LabelSelector': 'MatchLabels map[string]string, MatchExpressions []v1.LabelSelectorRequirement',
  'v1.LabelSelectorRequirement': 'Key string, Operator v1.LabelSelectorOperator, Values []string',
};

/** The types of values of which their JSON does not tell enough: the fields, their types, and where the fields are. */
export const typedFields: readonly (readonly [field: RegExp, type: string, resource?: string])[] = [
  [/^metadata\.resourceVersion$/, 'uint64'],
  [/^metadata\.ownerReferences$/, '[]v1.OwnerReference'],
  [/\.operations$/, '[]admissionregistration.OperationType'],
  [/^spec\.auditAnnotations$/, '[]admissionregistration.AuditAnnotation'],
  [/^spec\.validationActions$/, '[]admissionregistration.ValidationAction'],
  [/^spec\.versions$/, '[]apiextensions.CustomResourceDefinitionVersion'],
  [/\.x-kubernetes-validations\[\d+\]\.rule$/, 'apiextensions.ValidationRule'],
  [/^status\.storedVersions$/, '[]string'],
  [/\.default$/, 'map[string]interface {}', 'apiextensions.k8s.io/customresourcedefinitions'],
  [/\.securityContext$/, 'core.SecurityContext'],
  [/^spec\.scopes$|^spec\.scopeSelector\.scopes$/, '[]core.ResourceQuotaScope', '/resourcequotas'],
  [/^spec\.taints\[\d+\]$/, 'core.Taint', '/nodes'],
  [/^scheduling\.tolerations\[\d+\]$/, 'core.Toleration', 'node.k8s.io/runtimeclasses'],
  [/^status\.podIPs\[\d+\]$/, 'core.PodIP', '/pods'],
  [/^status\.podIPs$/, '[]core.PodIP', '/pods'],
  [/^status\.hostIPs\[\d+\]$/, 'core.HostIP', '/pods'],
  [/^status\.hostIPs$/, '[]core.HostIP', '/pods'],
  [/^status\.addresses\[\d+\]$/, 'core.NodeAddress', '/nodes'],
  [/^roleRef$/, 'rbac.RoleRef'],
  [/^spec\.selector$/, 'v1.LabelSelector'],
  [/^spec\.ipFamilies/, '[]core.IPFamily', '/services'],
  [/^spec\.request$/, '[]byte', 'certificates.k8s.io/certificatesigningrequests'],
  [
    /^spec\.limits\[\d+\]\.(?:min|max|default|defaultRequest|maxLimitRequestRatio)\[/,
    'resource.Quantity',
    '/limitranges',
  ],
];
