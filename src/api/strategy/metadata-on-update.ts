/** `whole` metadata as for a new object, its `changes`, or the complete validation of a new object. */
export type MetadataPart = 'whole' | 'changes' | 'all as if new';

/** The kind's own metadata errors of an update, in addition to those of all kinds. */
export interface MetadataOnUpdate {
  readonly object: readonly MetadataPart[];
  readonly subresource: readonly MetadataPart[];
}

const usual: MetadataOnUpdate = { object: ['changes'], subresource: ['changes'] };
/** The kind's validation includes metadata. */
const nothing: MetadataOnUpdate = { object: [], subresource: [] };
const whole: MetadataOnUpdate = { object: ['whole'], subresource: ['changes'] };
const changesFirst: MetadataOnUpdate = { object: ['changes', 'whole'], subresource: ['changes'] };
const changesLast: MetadataOnUpdate = { object: ['whole', 'changes'], subresource: ['changes'] };
const asIfNewFirst: MetadataOnUpdate = { object: ['all as if new', 'changes'], subresource: ['changes'] };

/** Follows ValidateUpdate in kubernetes pkg/registry and the functions of pkg/apis that it calls. */
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

/** `resource` is `group/resource`. */
export const metadataOnUpdate = (resource: string): MetadataOnUpdate => rows[resource] ?? usual;
