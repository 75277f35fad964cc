/** What is told of metadata: as of a new object, of its changes, or as of a new object together with the rest of it. */
export type MetadataPart = 'whole' | 'changes' | 'all as if new';

/** What the validation of an update tells of metadata before the rest, on top of what is told of all kinds. */
export interface MetadataOnUpdate {
  readonly object: readonly MetadataPart[];
  /** Of a write to a subresource. */
  readonly subresource: readonly MetadataPart[];
}

const usual: MetadataOnUpdate = { object: ['changes'], subresource: ['changes'] };
/** Or the kind does so itself. */
const nothing: MetadataOnUpdate = { object: [], subresource: [] };
const whole: MetadataOnUpdate = { object: ['whole'], subresource: ['changes'] };
const changesFirst: MetadataOnUpdate = { object: ['changes', 'whole'], subresource: ['changes'] };
const changesLast: MetadataOnUpdate = { object: ['whole', 'changes'], subresource: ['changes'] };
const asIfNewFirst: MetadataOnUpdate = { object: ['all as if new', 'changes'], subresource: ['changes'] };

/** Follows the ValidateUpdate of kubernetes pkg/registry, and what they call of pkg/apis. */
const rows: Readonly<Record<string, MetadataOnUpdate | undefined>> = {
  '/endpoints': changesFirst,
  '/events': nothing,
  '/limitranges': whole,
  '/namespaces': asIfNewFirst,
  '/nodes': asIfNewFirst,
  '/persistentvolumeclaims': changesFirst,
  'admissionregistration.k8s.io/mutatingadmissionpolicies': whole,
  'admissionregistration.k8s.io/mutatingadmissionpolicybindings': whole,
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': whole,
  'admissionregistration.k8s.io/validatingadmissionpolicies': { ...whole, subresource: [] },
  'admissionregistration.k8s.io/validatingadmissionpolicybindings': whole,
  'admissionregistration.k8s.io/validatingwebhookconfigurations': whole,
  'batch/cronjobs': { ...usual, subresource: [] },
  'batch/jobs': asIfNewFirst,
  'certificates.k8s.io/certificatesigningrequests': nothing,
  'discovery.k8s.io/endpointslices': whole,
  'events.k8s.io/events': nothing,
  'flowcontrol.apiserver.k8s.io/flowschemas': nothing,
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations': nothing,
  'networking.k8s.io/ingresses': changesFirst,
  'networking.k8s.io/ipaddresses': asIfNewFirst,
  'node.k8s.io/runtimeclasses': asIfNewFirst,
  'policy/poddisruptionbudgets': nothing,
  'rbac.authorization.k8s.io/clusterrolebindings': asIfNewFirst,
  'rbac.authorization.k8s.io/clusterroles': asIfNewFirst,
  'rbac.authorization.k8s.io/rolebindings': asIfNewFirst,
  'rbac.authorization.k8s.io/roles': asIfNewFirst,
  'resource.k8s.io/deviceclasses': changesLast,
  'resource.k8s.io/resourceclaims': changesLast,
  'resource.k8s.io/resourceclaimtemplates': asIfNewFirst,
  'storage.k8s.io/csinodes': nothing,
  'storage.k8s.io/csistoragecapacities': asIfNewFirst,
  'storage.k8s.io/storageclasses': asIfNewFirst,
  'storage.k8s.io/volumeattachments': nothing,
};

/** Of a resource as `group/resource`. */
export const metadataOnUpdate = (resource: string): MetadataOnUpdate => rows[resource] ?? usual;
