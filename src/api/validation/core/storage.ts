import {
  optionalEnumErrors,
  optionalTextErrors,
  invalidTextErrors,
  each,
  eachKey,
  eachOf,
  errorIf,
  type FieldErrors,
} from '../field-rules.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { asList, asObject, asString, type JsonObject } from '../../../machinery/json/json.ts';
import {
  duplicate,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../../machinery/meta/field-error.ts';
import { dns1123Subdomain, qualifiedNameErrors } from '../../../machinery/meta/names.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import { unifiedDiff } from '../../../machinery/patch/unified-diff.ts';
import { isDuplicate, duplicateIndexes } from '../../../machinery/lists.ts';
import type * as core from '../../types/generated/core-v1.ts';
import type { StorageClass } from '../../types/generated/storage-v1.ts';
import { toInternalForm } from '../../types/internal-form.ts';
import { subdomainName, immutableFieldErrors, validateKindMeta } from '../meta/object-meta.ts';
import { parseAmount, roundQuantityUp } from '../meta/quantity-amount.ts';
import { parameterErrors } from '../storage/csi.ts';
import { validateNodeSelector } from './affinity.ts';
import { accessModeErrors } from './persistent-volume-claim.ts';
import { resourceNameErrors } from './resources.ts';
import { persistentSources, sourceErrors } from './volume-sources.ts';

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
] as const satisfies readonly (keyof core.PersistentVolumeSpec)[];

/** Follows kubernetes pkg/apis/core/validation ValidatePersistentVolumeSpec. */
export function validateVolume(volume: core.PersistentVolume): FieldErrors {
  const spec = asObject(volume.spec);
  const modes = asList(spec.accessModes).map(asString);
  const capacity = asObject(spec.capacity);
  return [
    ...errorIf(modes.length === 0, () => required('spec.accessModes', '')),
    ...accessModeErrors(modes, 'spec.accessModes'),
    ...errorIf(Object.keys(capacity).length === 0, () => required('spec.capacity', '')),
    ...errorIf(capacity['storage'] === undefined || Object.keys(capacity).length > 1, () =>
      notSupported('spec.capacity', spec.capacity ?? null, ['storage']),
    ),
    ...eachKey(capacity, (name) => [
      ...resourceNameErrors(name, `spec.capacity[${name}]`),
      ...errorIf(roundQuantityUp(capacity[name]) < 0n, () =>
        invalidValue(`spec.capacity[${name}]`, roundQuantityUp(capacity[name]), 'must be a valid resource quantity'),
      ),
      ...errorIf(parseAmount(capacity[name]) <= 0n, () =>
        invalidValue(`spec.capacity[${name}]`, asString(capacity[name]), 'must be greater than zero'),
      ),
    ]),
    ...optionalEnumErrors('spec.persistentVolumeReclaimPolicy', spec.persistentVolumeReclaimPolicy, [
      'Delete',
      'Recycle',
      'Retain',
    ]),
    ...volumeAffinityErrors(spec.nodeAffinity),
    ...volumeSourceErrors(spec, metadataOf(volume).name ?? '', 'spec'),
    ...optionalTextErrors(dns1123Subdomain, 'spec.storageClassName', spec.storageClassName),
    ...optionalEnumErrors('spec.volumeMode', spec.volumeMode, ['Block', 'Filesystem']),
    ...attributesClassErrors(spec),
    ...mountOptionErrors(volume, listSources(spec)),
  ];
}

const volumeAffinityErrors = (affinity: core.VolumeNodeAffinity | undefined): FieldErrors => {
  if (affinity === undefined) return [];
  const { required: terms } = asObject(affinity);
  const field = 'spec.nodeAffinity.required';
  return terms === undefined
    ? [required(field, 'must specify required node constraints')]
    : validateNodeSelector(terms, field);
};

export function volumeSourceErrors(spec: core.PersistentVolumeSpec, name: string, path: string): FieldErrors {
  const given = listSources(spec);
  const { initiatorName, targetPortal } = asObject(spec.iscsi);
  const portal = asString(targetPortal);
  const tooLong =
    'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
  const isLong = initiatorName !== undefined && `${name}:${portal}`.length > 64;
  const isRoot = /^\/[/.]*$/.test(asString(asObject(spec.hostPath).path));
  return [
    ...errorIf(given[0] === 'iscsi' && isLong, () => invalidValue(`${path}.iscsi.targetportal`, portal, tooLong)),
    ...sourceErrors(spec, path, given, persistentSources),
    ...errorIf(given[0] === 'local' && spec.nodeAffinity === undefined, () =>
      required(`${path}.nodeAffinity`, 'Local volume requires node affinity'),
    ),
    ...errorIf(isRoot && spec.persistentVolumeReclaimPolicy === 'Recycle', () =>
      forbiddenField(`${path}.persistentVolumeReclaimPolicy`, "may not be 'recycle' for a hostPath mount of '/'"),
    ),
  ];
}

const listSources = (spec: core.PersistentVolumeSpec): readonly (typeof sources)[number][] =>
  sources.filter((source) => spec[source] !== undefined);

function attributesClassErrors({ volumeAttributesClassName: name, csi }: core.PersistentVolumeSpec): FieldErrors {
  if (name === undefined) return [];
  const field = 'spec.volumeAttributesClassName';
  return [
    ...(name === ''
      ? [required(field, 'an empty string is disallowed')]
      : invalidTextErrors(dns1123Subdomain, field, asString(name))),
    ...errorIf(csi === undefined, () =>
      required('spec.csi', 'has to be specified when using volumeAttributesClassName'),
    ),
  ];
}

const mountable = new Set([
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
function mountOptionErrors(volume: core.PersistentVolume, given: readonly string[]): FieldErrors {
  const key = 'volume.beta.kubernetes.io/mount-options';
  const hasOptions = metadataOf(volume).annotations?.[key] !== undefined;
  return errorIf(hasOptions && !given.some((source) => mountable.has(source)), () =>
    forbiddenField(`metadata.annotations.${key}`, 'may not specify mount options for this volume type'),
  );
}

/** Follows kubernetes pkg/apis/core/validation ValidatePersistentVolumeUpdate. */
export function validateVolumeUpdate(
  volume: core.PersistentVolume,
  old: core.PersistentVolume,
  subresource: string,
): FieldErrors {
  if (subresource === 'status') return [];
  const [spec, oldSpec] = [asObject(volume.spec), asObject(old.spec)];
  const errors = [...validateKindMeta(metadataOf(volume), false, subdomainName), ...validateVolume(volume)];
  return [
    ...errors,
    ...errors,
    ...sourceChangeErrors(spec, oldSpec),
    ...immutableFieldErrors('volumeMode', spec.volumeMode, oldSpec.volumeMode),
    ...nodeAffinityChangeErrors(spec, oldSpec),
  ];
}

function sourceChangeErrors(spec: core.PersistentVolumeSpec, old: core.PersistentVolumeSpec): FieldErrors {
  const sourceOf = (object: core.PersistentVolumeSpec): JsonObject =>
    Object.fromEntries(sources.map((source) => [source, object[source]]));
  if (sameJson(sourceOf(spec), sourceOf(old))) return [];
  const [was, is] = [old, spec].map((object) => toInternalForm('core.PersistentVolumeSource', object));
  const text = 'spec.persistentvolumesource is immutable after creation';
  return [forbiddenField('spec.persistentvolumesource', `${text}\n${unifiedDiff(was ?? null, is ?? null)}`)];
}

/** Node affinity is immutable once set. */
function nodeAffinityChangeErrors(
  { nodeAffinity }: core.PersistentVolumeSpec,
  { nodeAffinity: old }: core.PersistentVolumeSpec,
): FieldErrors {
  const text = 'field is immutable, except for updating from beta label to GA';
  return errorIf(old !== undefined && !sameJson(nodeAffinity, old), () =>
    invalidValue('nodeAffinity', toInternalForm('*core.VolumeNodeAffinity', nodeAffinity), text),
  );
}

/** Follows kubernetes pkg/apis/storage/validation ValidateStorageClass. */
export function validateStorageClass(storageClass: StorageClass): FieldErrors {
  const provisioner = asString(storageClass.provisioner);
  return [
    ...(provisioner === ''
      ? [required('provisioner', '')]
      : invalidTextErrors(qualifiedNameErrors, 'provisioner', provisioner.toLowerCase())),
    ...parameterErrors(storageClass.parameters),
    ...optionalEnumErrors('reclaimPolicy', storageClass.reclaimPolicy || undefined, ['Delete', 'Retain']),
    ...(storageClass.volumeBindingMode === undefined
      ? [required('volumeBindingMode', '')]
      : optionalEnumErrors('volumeBindingMode', storageClass.volumeBindingMode, ['Immediate', 'WaitForFirstConsumer'])),
    ...topologyErrors(storageClass.allowedTopologies),
  ];
}

/** Only allowedTopologies may change. Follows kubernetes pkg/apis/storage/validation ValidateStorageClassUpdate. */
export const validateStorageClassUpdate = (storageClass: StorageClass, old: StorageClass): FieldErrors =>
  (['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'] as const).flatMap((field) =>
    immutableFieldErrors(field, storageClass[field], old[field], field === 'provisioner' ? '' : null),
  );

/** Terms are unique. Follows kubernetes pkg/apis/storage/validation validateAllowedTopologies. */
function topologyErrors(terms: readonly core.TopologySelectorTerm[] | undefined): FieldErrors {
  const count = asList(terms).length;
  const keys = asList(terms).map(termKey);
  const before = countEarlier(keys);
  return each(terms, 'allowedTopologies', (term, at, index) => {
    // Upstream also compares with as many empty terms as there are terms.
    const repeats = (before[index] ?? 0) + (keys[index] === '' ? count : 0);
    return [
      ...termErrors(term, at),
      ...Array.from({ length: Math.min(repeats, max) }, () => duplicate(`${at}.matchLabelExpressions`, '')),
    ];
  });
}

const max = 1000;

/** For each text, its earlier occurrences. */
function countEarlier(texts: readonly string[]): readonly number[] {
  const counts = new Map<string, number>();
  return texts.map((text) => {
    const before = counts.get(text) ?? 0;
    counts.set(text, before + 1);
    return before;
  });
}

/** Equal for terms with the same keys and values in any order; '' without keys. */
function termKey(term: core.TopologySelectorTerm): string {
  const sets = new Map<string, string>();
  for (const { key, values } of asList(term.matchLabelExpressions)) {
    sets.set(asString(key), JSON.stringify([...new Set(asList(values).map(asString))].sort()));
  }
  return [...sets]
    .map(([key, values]) => JSON.stringify(key) + values)
    .sort()
    .join();
}

/** Follows kubernetes pkg/apis/core/validation ValidateTopologySelectorTerm. */
function termErrors(term: core.TopologySelectorTerm, path: string): FieldErrors {
  const keys = new Set<string>();
  return each(term.matchLabelExpressions, `${path}.matchLabelExpressions`, ({ key, values }, at) => {
    const [name, texts] = [asString(key), asList(values).map(asString)];
    const [repeats, isRepeated] = [duplicateIndexes(texts), isDuplicate(keys, name)];
    return [
      ...errorIf(texts.length === 0, () => required(`${at}.values`, '')),
      ...eachOf(texts, (text, index) => errorIf(repeats.has(index), () => duplicate(`${at}.values[${index}]`, text))),
      ...invalidTextErrors(qualifiedNameErrors, `${at}.key`, name),
      ...errorIf(isRepeated, () => duplicate(`${at}.key`, name)),
    ];
  });
}
