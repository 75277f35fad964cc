import {
  validateOptionalEnum,
  validateOptionalText,
  validateRequiredText,
  eachKey,
  errorIf,
  type FieldErrors,
} from '../field-rules.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { asList, asObject, asString, type JsonObject } from '../../../machinery/json/json.ts';
import { forbiddenField, invalidValue, notSupported, required } from '../../../machinery/meta/field-error.ts';
import { dns1123Subdomain } from '../../../machinery/meta/names.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import { unifiedDiff } from '../../../machinery/patch/unified-diff.ts';
import type * as core from '../../types/generated/core-v1.ts';
import { toInternalForm } from '../../types/internal-form.ts';
import { subdomainName, validateImmutableField, validateCoreObjectMeta } from '../meta/object-meta.ts';
import { parseAmount, roundQuantityUp } from '../meta/quantity-amount.ts';
import { validateNodeSelector } from './affinity.ts';
import { validateAccessModes } from './persistent-volume-claim.ts';
import { validateResourceName } from './resources.ts';
import { persistentSources, validateVolumeSource } from './volume-sources.ts';

const persistentVolumeSourceNames = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'flocker',
  'nfs',
  'rbd',
  'quobyte',
  'cephfs',
  'iscsi',
  'cinder',
  'fc',
  'flexVolume',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'scaleIO',
  'local',
  'storageos',
  'csi',
] as const satisfies readonly (keyof core.PersistentVolumeSpec)[];

/** Follows kubernetes pkg/apis/core/validation ValidatePersistentVolumeSpec. */
export function validatePersistentVolume(volume: core.PersistentVolume): FieldErrors {
  const spec = asObject(volume.spec);
  const modes = asList(spec.accessModes).map(asString);
  const capacity = asObject(spec.capacity);
  return [
    ...errorIf(modes.length === 0, () => required('spec.accessModes', '')),
    ...validateAccessModes(modes, 'spec.accessModes'),
    ...errorIf(Object.keys(capacity).length === 0, () => required('spec.capacity', '')),
    ...errorIf(capacity['storage'] === undefined || Object.keys(capacity).length > 1, () =>
      notSupported('spec.capacity', spec.capacity ?? null, ['storage']),
    ),
    ...eachKey(capacity, (name) => [
      ...validateResourceName(name, `spec.capacity[${name}]`),
      ...errorIf(roundQuantityUp(capacity[name]) < 0n, () =>
        invalidValue(`spec.capacity[${name}]`, roundQuantityUp(capacity[name]), 'must be a valid resource quantity'),
      ),
      ...errorIf(parseAmount(capacity[name]) <= 0n, () =>
        invalidValue(`spec.capacity[${name}]`, asString(capacity[name]), 'must be greater than zero'),
      ),
    ]),
    ...validateOptionalEnum('spec.persistentVolumeReclaimPolicy', spec.persistentVolumeReclaimPolicy, [
      'Delete',
      'Recycle',
      'Retain',
    ]),
    ...validateVolumeNodeAffinity(spec.nodeAffinity),
    ...validatePersistentVolumeSource(spec, metadataOf(volume).name ?? '', 'spec'),
    ...validateOptionalText(dns1123Subdomain, 'spec.storageClassName', spec.storageClassName),
    ...validateOptionalEnum('spec.volumeMode', spec.volumeMode, ['Block', 'Filesystem']),
    ...validateVolumeAttributesClassName(spec),
    ...validateMountOptions(volume, listSources(spec)),
  ];
}

const validateVolumeNodeAffinity = (affinity: core.VolumeNodeAffinity | undefined): FieldErrors => {
  if (affinity === undefined) return [];
  const { required: terms } = asObject(affinity);
  const field = 'spec.nodeAffinity.required';
  return terms === undefined
    ? [required(field, 'must specify required node constraints')]
    : validateNodeSelector(terms, field);
};

export function validatePersistentVolumeSource(
  spec: core.PersistentVolumeSpec,
  name: string,
  path: string,
): FieldErrors {
  const given = listSources(spec);
  const { initiatorName, targetPortal } = asObject(spec.iscsi);
  const portal = asString(targetPortal);
  const tooLong =
    'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
  const isLong = initiatorName !== undefined && `${name}:${portal}`.length > 64;
  const isRoot = /^\/[/.]*$/.test(asString(asObject(spec.hostPath).path));
  return [
    ...errorIf(given[0] === 'iscsi' && isLong, () => invalidValue(`${path}.iscsi.targetportal`, portal, tooLong)),
    ...validateVolumeSource(spec, path, given, persistentSources),
    ...errorIf(given[0] === 'local' && spec.nodeAffinity === undefined, () =>
      required(`${path}.nodeAffinity`, 'Local volume requires node affinity'),
    ),
    ...errorIf(isRoot && spec.persistentVolumeReclaimPolicy === 'Recycle', () =>
      forbiddenField(`${path}.persistentVolumeReclaimPolicy`, "may not be 'recycle' for a hostPath mount of '/'"),
    ),
  ];
}

const listSources = (spec: core.PersistentVolumeSpec): readonly (typeof persistentVolumeSourceNames)[number][] =>
  persistentVolumeSourceNames.filter((source) => spec[source] !== undefined);

function validateVolumeAttributesClassName({
  volumeAttributesClassName: name,
  csi,
}: core.PersistentVolumeSpec): FieldErrors {
  if (name === undefined) return [];
  const field = 'spec.volumeAttributesClassName';
  return [
    ...validateRequiredText(dns1123Subdomain, field, name, 'an empty string is disallowed'),
    ...errorIf(csi === undefined, () =>
      required('spec.csi', 'has to be specified when using volumeAttributesClassName'),
    ),
  ];
}

const mountableSources = new Set([
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'nfs',
  'rbd',
  'quobyte',
  'iscsi',
  'azureFile',
  'cephfs',
  'azureDisk',
  'photonPersistentDisk',
  'cinder',
  'vsphereVolume',
]);

/** Follows kubernetes pkg/volume/validation ValidatePersistentVolume. */
function validateMountOptions(volume: core.PersistentVolume, given: readonly string[]): FieldErrors {
  const key = 'volume.beta.kubernetes.io/mount-options';
  const hasOptions = metadataOf(volume).annotations?.[key] !== undefined;
  return errorIf(hasOptions && !given.some((source) => mountableSources.has(source)), () =>
    forbiddenField(`metadata.annotations.${key}`, 'may not specify mount options for this volume type'),
  );
}

/** Follows kubernetes pkg/apis/core/validation ValidatePersistentVolumeUpdate. */
export function validatePersistentVolumeUpdate(
  volume: core.PersistentVolume,
  old: core.PersistentVolume,
  subresource: string,
): FieldErrors {
  if (subresource === 'status') return [];
  const [spec, oldSpec] = [asObject(volume.spec), asObject(old.spec)];
  const errors = [
    ...validateCoreObjectMeta(metadataOf(volume), false, subdomainName),
    ...validatePersistentVolume(volume),
  ];
  return [
    ...errors,
    ...errors,
    ...validateImmutableSource(spec, oldSpec),
    ...validateImmutableField('volumeMode', spec.volumeMode, oldSpec.volumeMode),
    ...validateNodeAffinityUpdate(spec, oldSpec),
  ];
}

function validateImmutableSource(spec: core.PersistentVolumeSpec, old: core.PersistentVolumeSpec): FieldErrors {
  const sourceOf = (object: core.PersistentVolumeSpec): JsonObject =>
    Object.fromEntries(persistentVolumeSourceNames.map((source) => [source, object[source]]));
  if (sameJson(sourceOf(spec), sourceOf(old))) return [];
  const [was, is] = [old, spec].map((object) => toInternalForm('core.PersistentVolumeSource', object));
  const text = 'spec.persistentvolumesource is immutable after creation';
  return [forbiddenField('spec.persistentvolumesource', `${text}\n${unifiedDiff(was ?? null, is ?? null)}`)];
}

/** Node affinity is immutable once set. */
function validateNodeAffinityUpdate(
  { nodeAffinity }: core.PersistentVolumeSpec,
  { nodeAffinity: old }: core.PersistentVolumeSpec,
): FieldErrors {
  const text = 'field is immutable, except for updating from beta label to GA';
  return errorIf(old !== undefined && !sameJson(nodeAffinity, old), () =>
    invalidValue('nodeAffinity', toInternalForm('*core.VolumeNodeAffinity', nodeAffinity), text),
  );
}
