import { forbiddenField, invalidValue, required } from '../../apimachinery/field-error.ts';
import { sameJson } from '../../apimachinery/json-equal.ts';
import { asList, asObject, asString } from '../../apimachinery/json.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import { dns1123Subdomain, qualifiedNameErrors } from '../../apimachinery/names.ts';
import { metadataOf } from '../../apimachinery/object.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import { unifiedDiff } from '../../apimachinery/unified-diff.ts';
import { internalForm } from '../types/internal-form.ts';
import { validateNodeSelector } from './affinity.ts';
import { following, oneOf, oneOfIfSet, when } from './field-rules.ts';
import type { Complaints } from './field-rules.ts';
import { subdomainName } from './name-rule.ts';
import { immutable, immutableText, validateObjectMeta } from './object-meta.ts';
import { accessModeErrors } from './persistent-volume-claim.ts';
import { amountOf } from './quantity-amount.ts';
import { resourceName } from './resource-names.ts';

const sources = [
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
];

/** Follows kubernetes pkg/apis/core/validation ValidatePersistentVolumeSpec. */
export function validateVolume(volume: KubernetesObject): Complaints {
  const spec = asObject(volume['spec']);
  const modes = asList(spec['accessModes']).map(asString);
  const capacity = asObject(spec['capacity']);
  const affinity = asObject(spec['nodeAffinity'])['required'];
  const [first, ...others] = sources.filter((source) => spec[source] !== undefined);
  const storageClass = asString(spec['storageClassName']);
  return [
    ...when(modes.length === 0, () => required('spec.accessModes', '')),
    ...accessModeErrors(modes, 'spec.accessModes'),
    ...when(Object.keys(capacity).length === 0, () => required('spec.capacity', '')),
    ...when(Object.keys(capacity).length > 0 && capacity['storage'] === undefined, () => ({
      type: 'FieldValueNotSupported',
      field: 'spec.capacity',
      value: JSON.stringify(capacity),
      detail: 'supported values: "storage"',
    })),
    ...Object.entries(capacity).flatMap(([name, amount]) => [
      ...resourceName(name, `spec.capacity[${name}]`),
      ...when(amountOf(amount) <= 0n, () =>
        invalidValue(`spec.capacity[${name}]`, asString(amount), 'must be greater than zero'),
      ),
    ]),
    ...oneOfIfSet('spec.persistentVolumeReclaimPolicy', spec['persistentVolumeReclaimPolicy'], [
      'Delete',
      'Recycle',
      'Retain',
    ]),
    ...(affinity === undefined ? [] : validateNodeSelector(affinity, 'spec.nodeAffinity.required')),
    ...when(first === undefined, () => required('spec', 'must specify a volume type')),
    ...others.map((source) => forbiddenField(`spec.${source}`, 'may not specify more than 1 volume type')),
    ...(storageClass === '' ? [] : following(dns1123Subdomain, 'spec.storageClassName', storageClass)),
    ...oneOfIfSet('spec.volumeMode', spec['volumeMode'], ['Block', 'Filesystem']),
  ];
}

/** Follows kubernetes pkg/apis/core/validation ValidatePersistentVolumeUpdate. */
export function validateVolumeUpdate(volume: KubernetesObject, old: KubernetesObject, subresource: string): Complaints {
  if (subresource === 'status') return [];
  const [spec, oldSpec] = [asObject(volume['spec']), asObject(old['spec'])];
  const errors = [...validateObjectMeta(metadataOf(volume), false, subdomainName), ...validateVolume(volume)];
  return [
    ...errors,
    ...sourceChange(spec, oldSpec),
    ...immutable('volumeMode', spec['volumeMode'], oldSpec['volumeMode']),
    ...nodeAffinityChange(spec, oldSpec),
  ];
}

function sourceChange(spec: JsonObject, old: JsonObject): Complaints {
  const sourceOf = (object: JsonObject): JsonObject =>
    Object.fromEntries(sources.map((source) => [source, object[source]]));
  if (sameJson(sourceOf(spec), sourceOf(old))) return [];
  const [was, is] = [old, spec].map((object) => internalForm('core.PersistentVolumeSource', object));
  const text = 'spec.persistentvolumesource is immutable after creation';
  return [forbiddenField('spec.persistentvolumesource', `${text}\n${unifiedDiff(was ?? null, is ?? null)}`)];
}

/** Where a volume can be reached is for good once it is said. */
function nodeAffinityChange({ nodeAffinity }: JsonObject, { nodeAffinity: old }: JsonObject): Complaints {
  const text = 'field is immutable, except for updating from beta label to GA';
  return when(old !== undefined && !sameJson(nodeAffinity, old), () =>
    invalidValue('nodeAffinity', internalForm('*core.VolumeNodeAffinity', nodeAffinity), text),
  );
}

/** Follows kubernetes pkg/apis/storage/validation ValidateStorageClass. */
export function validateStorageClass(storageClass: KubernetesObject): Complaints {
  const provisioner = asString(storageClass['provisioner']);
  return [
    ...(provisioner === ''
      ? [required('provisioner', '')]
      : following(qualifiedNameErrors, 'provisioner', provisioner.toLowerCase())),
    ...when(Object.hasOwn(asObject(storageClass['parameters']), ''), () =>
      invalidValue('parameters', '', 'field must not be empty.'),
    ),
    ...oneOf('reclaimPolicy', storageClass['reclaimPolicy'], ['Delete', 'Retain']),
    ...oneOf('volumeBindingMode', storageClass['volumeBindingMode'], ['Immediate', 'WaitForFirstConsumer']),
  ];
}

/** Follows kubernetes pkg/apis/storage/validation ValidateStorageClassUpdate. */
export function validateStorageClassUpdate(storageClass: KubernetesObject, old: KubernetesObject): Complaints {
  const { provisioner, reclaimPolicy, parameters, volumeBindingMode } = storageClass;
  return [
    ...validateObjectMeta(metadataOf(storageClass), false, subdomainName),
    ...validateStorageClass(storageClass),
    ...when(!sameJson(parameters, old['parameters']), () =>
      forbiddenField('parameters', 'updates to parameters are forbidden.'),
    ),
    ...when(provisioner !== old['provisioner'], () =>
      forbiddenField('provisioner', 'updates to provisioner are forbidden.'),
    ),
    ...when(reclaimPolicy !== old['reclaimPolicy'], () =>
      forbiddenField('reclaimPolicy', 'updates to reclaimPolicy are forbidden.'),
    ),
    ...immutable('volumeBindingMode', volumeBindingMode, old['volumeBindingMode']),
  ];
}

/** Follows kubernetes pkg/apis/storage/validation ValidateCSIDriverUpdate. */
export const validateCsiDriverUpdate = (driver: KubernetesObject, old: KubernetesObject): Complaints =>
  ['attachRequired', 'fsGroupPolicy', 'volumeLifecycleModes'].flatMap((field) =>
    immutable(
      `spec.${field === 'attachRequired' ? 'attachedRequired' : field}`,
      asObject(driver['spec'])[field],
      asObject(old['spec'])[field],
    ),
  );

/** Follows kubernetes pkg/apis/storage/validation validateAttributes: the driver and parameters of a class are for good. */
export const validateAttributesClassUpdate = (attributes: KubernetesObject, old: KubernetesObject): Complaints => [
  ...when(attributes['driverName'] !== old['driverName'], () =>
    invalidValue('driverName', asString(attributes['driverName']), immutableText),
  ),
  ...when(!sameJson(attributes['parameters'], old['parameters']), () =>
    invalidValue('parameters', attributes['parameters'] ?? null, immutableText),
  ),
];
