import { defaultMinor } from '../../machinery/meta/release-names.ts';
import type { JsonValue } from '../../machinery/json/json.ts';
import { apiVersionOf, parseApiVersion, type GroupVersionKind } from '../../machinery/meta/gvk.ts';
import { asKubernetesObject, type KubernetesObject } from '../../machinery/meta/object.ts';
import type { Codec } from '../codec/codec.ts';
import { leaf, type FieldSet } from './field-set.ts';
import type { Versions } from './prune.ts';
import { typeErrors } from './type-errors.ts';
import type { Change, MistypedFields } from './update-managers.ts';
import { getValueTypes, type ValueType } from './value-type.ts';

export interface FieldKinds {
  readonly codec: Codec;
  readonly find: (apiVersion: string, kind: string) => FieldKind;
}

interface FieldKind {
  readonly kind: GroupVersionKind;
  /** undefined for an unknown kind. */
  readonly type: ValueType | undefined;
  readonly isCustom: boolean;
  /** As Go prints it. */
  readonly emptyObject: KubernetesObject;
  /** Fields that the endpoint ignores. */
  readonly reset: (subresource: string) => FieldSet;
}

export interface CustomKind {
  readonly type: ValueType;
  readonly hasStatus: boolean;
}

export function createFieldKinds(
  codec: Codec,
  findCustom: (kind: GroupVersionKind) => CustomKind | undefined,
): FieldKinds {
  const kinds = new Map<string, Map<string, FieldKind>>();
  const valueTypeOf = getValueTypes(codec.types);
  return {
    codec,
    find: (apiVersion, name) => {
      const builtin = kinds.get(apiVersion)?.get(name);
      if (builtin) return builtin;
      const kind = { ...parseApiVersion(apiVersion), kind: name };
      const typeName = codec.types.typeOfKind(kind);
      if (typeName === undefined) return createCustomFieldKind(kind, findCustom(kind), codec.types.minor);
      const created: FieldKind = {
        kind,
        type: valueTypeOf(typeName),
        isCustom: false,
        emptyObject: createEmptyObject(codec, kind),
        reset: (subresource) => findResetFields(kind, subresource, codec.types.minor),
      };
      kinds.set(apiVersion, (kinds.get(apiVersion) ?? new Map<string, FieldKind>()).set(name, created));
      return created;
    },
  };
}

const createCustomFieldKind = (kind: GroupVersionKind, custom: CustomKind | undefined, minor: number): FieldKind => ({
  kind,
  type: custom?.type,
  isCustom: true,
  emptyObject: { apiVersion: apiVersionOf(kind), kind: kind.kind },
  reset: (subresource) => (custom?.hasStatus === true ? findCustomResetFields(subresource, minor) : leaf),
});

function createEmptyObject(codec: Codec, kind: GroupVersionKind): KubernetesObject {
  const apiVersion = apiVersionOf(kind);
  const decoded = codec.decodeValue({ apiVersion, kind: kind.kind }, kind);
  return decoded.outcome === 'decoded' ? decoded.object : { apiVersion, kind: kind.kind };
}

interface ObjectStates {
  /** Both without managedFields, in the version of `after`. */
  readonly before: KubernetesObject;
  readonly after: KubernetesObject;
  readonly subresource: string;
}

/** undefined for an unknown kind. */
export function createManagedChange(
  kinds: FieldKinds,
  { before, after, subresource }: ObjectStates,
): Change | undefined {
  const { apiVersion } = after;
  const { type, reset, isCustom } = kinds.find(apiVersion, after.kind);
  if (!type) return undefined;
  const typeError = (): string | undefined => (isCustom ? findStateTypeError(type, before, after) : undefined);
  const inVersion = async (version: string): Promise<Change | MistypedFields | undefined> => {
    const target = kinds.find(version, after.kind).kind;
    const first = await kinds.codec.convert(before, target);
    const second = await kinds.codec.convert(after, target);
    if (first.outcome !== 'converted' || second.outcome !== 'converted') return undefined;
    const change = createManagedChange(kinds, { before: first.object, after: second.object, subresource });
    const problem = change && change.typeError();
    return problem === undefined ? change : { mistyped: problem };
  };
  return { apiVersion, type, before, after, reset: reset(subresource), typeError, inVersion };
}

/** Upstream checks the old state first and without a prefix. */
function findStateTypeError(type: ValueType, before: KubernetesObject, after: KubernetesObject): string | undefined {
  const old = typeErrors(type, before, 'allowed');
  if (old !== undefined || before === after) return old;
  const changed = typeErrors(type, after, 'allowed');
  return changed === undefined ? undefined : `failed to convert new object: ${changed}`;
}

export const createVersions = ({ codec, find }: FieldKinds, kind: string): Versions => ({
  keepsEmpty: codec.types.minor < 37,
  typeIn: (apiVersion) => find(apiVersion, kind).type,
  convert: async (value: JsonValue, apiVersion) => {
    const object = asKubernetesObject(value);
    if (!object || object.apiVersion === apiVersion) return value;
    const converted = await codec.convert(object, find(apiVersion, kind).kind);
    return converted.outcome === 'converted' ? converted.object : undefined;
  },
});

const statusFields: FieldSet = { 'f:status': leaf };
const specFields: FieldSet = { 'f:spec': leaf };
const allFieldsButStatus: FieldSet = { 'f:metadata': leaf, 'f:spec': leaf };

/** Reset fields that differ from the default, by `Kind.group/subresource`. */
const resetFields: Readonly<Record<string, FieldSet>> = {
  'CertificateSigningRequest.certificates.k8s.io': { 'f:spec': leaf, 'f:status': leaf },
  'CertificateSigningRequest.certificates.k8s.io/status': { 'f:spec': leaf, 'f:status': { 'f:conditions': leaf } },
  'CertificateSigningRequest.certificates.k8s.io/approval': {
    'f:spec': leaf,
    'f:status': { 'f:certificate': leaf },
  },
  'APIService.apiregistration.k8s.io/status': allFieldsButStatus,
  'DeviceTaintRule.resource.k8s.io/status': allFieldsButStatus,
  'FlowSchema.flowcontrol.apiserver.k8s.io/status': allFieldsButStatus,
  'PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io/status': allFieldsButStatus,
  'PodCertificateRequest.certificates.k8s.io/status': allFieldsButStatus,
  'PodGroup.scheduling.k8s.io/status': allFieldsButStatus,
  'CompositePodGroup.scheduling.k8s.io/status': allFieldsButStatus,
  'CSINode.storage.k8s.io/status': allFieldsButStatus,
  'Eviction.lifecycle.k8s.io/status': allFieldsButStatus,
  'EvictionRequest.lifecycle.k8s.io/status': allFieldsButStatus,
  'ResourceClaim.resource.k8s.io/status': allFieldsButStatus,
  'ResourcePoolStatusRequest.resource.k8s.io/status': allFieldsButStatus,
  'ServiceCIDR.networking.k8s.io/status': allFieldsButStatus,
  'StorageVersion.internal.apiserver.k8s.io/status': allFieldsButStatus,
  'StorageVersionMigration.storagemigration.k8s.io/status': allFieldsButStatus,
  'ValidatingAdmissionPolicy.admissionregistration.k8s.io/status': allFieldsButStatus,
  'VolumeAttachment.storage.k8s.io/status': allFieldsButStatus,
  'Deployment.apps/status': { 'f:metadata': { 'f:labels': leaf }, 'f:spec': leaf },
  'Pod./status': { 'f:metadata': { 'f:deletionTimestamp': leaf, 'f:ownerReferences': leaf }, 'f:spec': leaf },
};

/** Those of releases before `since`. */
const olderResetFields: Readonly<Record<string, { readonly since: number; readonly reset: FieldSet }>> = {
  'CustomResourceDefinition.apiextensions.k8s.io/status': { since: 36, reset: allFieldsButStatus },
  'PodCertificateRequest.certificates.k8s.io/status': { since: 37, reset: specFields },
};

/**
 * Fields that the endpoint ignores and clients therefore never own. Follows GetResetFields in kubernetes pkg/registry
 * (strategy.go of each resource).
 */
export function findResetFields(
  { group, kind }: GroupVersionKind,
  subresource: string,
  minor: number = defaultMinor,
): FieldSet {
  const name = subresource === '' ? `${kind}.${group}` : `${kind}.${group}/${subresource}`;
  const before = olderResetFields[name];
  const reset = before && minor < before.since ? before.reset : resetFields[name];
  if (reset) return reset;
  return subresource === 'status' ? specFields : statusFields;
}

/** For custom resources with a status. Follows apiextensions-apiserver pkg/registry/customresource. */
export function findCustomResetFields(subresource: string, minor: number = defaultMinor): FieldSet {
  if (subresource !== 'status') return statusFields;
  return minor < 36 ? specFields : allFieldsButStatus;
}
