import type { GroupVersionKind } from '../../machinery/meta/gvk.ts';
import { leaf } from './field-set.ts';
import type { FieldSet } from './field-set.ts';

const status: FieldSet = { 'f:status': leaf };
const spec: FieldSet = { 'f:spec': leaf };
const allButStatus: FieldSet = { 'f:metadata': leaf, 'f:spec': leaf };

/** What an endpoint resets, where it is more than the other's share. Keys are kind, group and subresource. */
const special: Readonly<Record<string, FieldSet>> = {
  'CertificateSigningRequest.certificates.k8s.io': { 'f:spec': leaf, 'f:status': leaf },
  'CertificateSigningRequest.certificates.k8s.io/status': { 'f:spec': leaf, 'f:status': { 'f:conditions': leaf } },
  'CertificateSigningRequest.certificates.k8s.io/approval': {
    'f:spec': leaf,
    'f:status': { 'f:certificate': leaf },
  },
  'APIService.apiregistration.k8s.io/status': allButStatus,
  'DeviceTaintRule.resource.k8s.io/status': allButStatus,
  'FlowSchema.flowcontrol.apiserver.k8s.io/status': allButStatus,
  'PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io/status': allButStatus,
  'PodGroup.scheduling.k8s.io/status': allButStatus,
  'ResourceClaim.resource.k8s.io/status': allButStatus,
  'ResourcePoolStatusRequest.resource.k8s.io/status': allButStatus,
  'ServiceCIDR.networking.k8s.io/status': allButStatus,
  'StorageVersion.internal.apiserver.k8s.io/status': allButStatus,
  'StorageVersionMigration.storagemigration.k8s.io/status': allButStatus,
  'ValidatingAdmissionPolicy.admissionregistration.k8s.io/status': allButStatus,
  'VolumeAttachment.storage.k8s.io/status': allButStatus,
  'Deployment.apps/status': { 'f:metadata': { 'f:labels': leaf }, 'f:spec': leaf },
  'Pod./status': { 'f:metadata': { 'f:deletionTimestamp': leaf, 'f:ownerReferences': leaf }, 'f:spec': leaf },
};

/**
 * The fields an endpoint throws away whatever a client sends, and which a client therefore never owns.
 * Follows GetResetFields in kubernetes pkg/registry (each resource's strategy.go); definitions and custom resources changed in 1.36.
 */
export function resetFieldsOf({ group, kind }: GroupVersionKind, subresource: string, minor = 36): FieldSet {
  if (subresource === 'status' && kind === 'CustomResourceDefinition' && group === 'apiextensions.k8s.io') {
    return minor < 36 ? allButStatus : spec;
  }
  const known = special[subresource === '' ? `${kind}.${group}` : `${kind}.${group}/${subresource}`];
  if (known) return known;
  return subresource === 'status' ? spec : status;
}

/** The same for custom resources with a status. Follows apiextensions-apiserver pkg/registry/customresource. */
export function resetFieldsOfCustom(subresource: string, minor = 36): FieldSet {
  if (subresource !== 'status') return status;
  return minor < 36 ? spec : allButStatus;
}
