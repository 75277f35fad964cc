import { forbiddenField, invalidValue, notSupported, required } from '../../apimachinery/field-error.ts';
import { sameJson } from '../../apimachinery/json-equal.ts';
import { asList, asObject, asString } from '../../apimachinery/json.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import { metadataOf } from '../../apimachinery/object.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import { dns1123Subdomain } from '../../apimachinery/names.ts';
import { unifiedDiff } from '../../apimachinery/unified-diff.ts';
import { internalForm } from '../types/internal-form.ts';
import { following, oneOfIfSet, when } from './field-rules.ts';
import type { Complaints } from './field-rules.ts';
import { validateLabelSelector } from './labels.ts';
import { immutable, validateKindMeta } from './object-meta.ts';
import { subdomainName } from './name-rule.ts';
import { amountOf } from './quantity-amount.ts';

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

/** Follows kubernetes pkg/apis/core/validation ValidatePersistentVolumeClaimSpec. */
export function validateClaimSpec(spec: JsonObject, path: string): Complaints {
  const modes = asList(spec['accessModes']).map(asString);
  const storage = asObject(asObject(spec['resources'])['requests'])['storage'];
  const storageClass = asString(spec['storageClassName']);
  return [
    ...when(modes.length === 0, () => required(`${path}.accessModes`, 'at least 1 access mode is required')),
    ...validateLabelSelector(spec['selector'], `${path}.selector`),
    ...accessModeErrors(modes, `${path}.accessModes`),
    ...(storage === undefined
      ? [required(`${path}.resources[storage]`, '')]
      : when(amountOf(storage) <= 0n, () =>
          invalidValue(`${path}.resources[storage]`, asString(storage), 'must be greater than zero'),
        )),
    ...(storageClass === '' ? [] : following(dns1123Subdomain, `${path}.storageClassName`, storageClass)),
    ...oneOfIfSet(`${path}.volumeMode`, spec['volumeMode'], ['Block', 'Filesystem']),
    ...dataSourceErrors(spec, path),
  ];
}

export function accessModeErrors(modes: readonly string[], field: string): Complaints {
  const isMixed = modes.includes('ReadWriteOncePod') && modes.length > 1;
  return [
    ...modes.filter((mode) => !accessModes.includes(mode)).map((mode) => notSupported(field, mode, accessModes)),
    ...when(isMixed, () => forbiddenField(field, 'may not use ReadWriteOncePod with other access modes')),
  ];
}

function dataSourceErrors(spec: JsonObject, path: string): Complaints {
  return (['dataSource', 'dataSourceRef'] as const).flatMap((field) => {
    if (spec[field] === undefined) return [];
    const { name, kind, apiGroup } = asObject(spec[field]);
    const isCore = asString(apiGroup) === '' && asString(kind) !== 'PersistentVolumeClaim';
    return [
      ...when(asString(name) === '', () => required(`${path}.${field}.name`, '')),
      ...when(asString(kind) === '', () => required(`${path}.${field}.kind`, '')),
      ...when(isCore, () =>
        invalidValue(
          `${path}.${field}`,
          asString(kind),
          "must be 'PersistentVolumeClaim' when referencing the default apiGroup",
        ),
      ),
    ];
  });
}

export const validateClaim = (claim: KubernetesObject): Complaints =>
  validateClaimSpec(asObject(claim['spec']), 'spec');

/** Claims do not change, but for the size of a bound one. Follows kubernetes pkg/apis/core/validation ValidatePersistentVolumeClaimUpdate. */
export function validateClaimUpdate(claim: KubernetesObject, old: KubernetesObject, subresource: string): Complaints {
  if (subresource === 'status') return [];
  const [spec, oldSpec] = [asObject(claim['spec']), asObject(old['spec'])];
  const isBound = asObject(claim['status'])['phase'] === 'Bound';
  const [size, oldSize] = [sizeOf(spec), sizeOf(oldSpec)];
  const capacity = amountOf(asObject(asObject(old['status'])['capacity'])['storage']);
  const whole = [...validateKindMeta(metadataOf(claim), true, subdomainName), ...validateClaim(claim)];
  return [
    ...whole,
    ...whole,
    ...(hasMovedToField(claim, old)
      ? []
      : immutable(`metadata.annotations.${betaClass}`, betaClassOf(claim), betaClassOf(old))),
    ...immutableErrors(spec, oldSpec, isBound),
    ...when(size < oldSize && size <= capacity, () =>
      forbiddenField('spec.resources.requests.storage', 'field can not be less than status.capacity'),
    ),
    ...immutable('volumeMode', spec['volumeMode'], oldSpec['volumeMode']),
  ];
}

const betaClass = 'volume.beta.kubernetes.io/storage-class';
const betaClassOf = (claim: KubernetesObject): string => metadataOf(claim).annotations?.[betaClass] ?? '';

/** The class may go from the annotation into the field. Follows validateStorageClassUpgradeFromAnnotation. */
function hasMovedToField(claim: KubernetesObject, old: KubernetesObject): boolean {
  const [now, before] = [asObject(claim['spec'])['storageClassName'], asObject(old['spec'])['storageClassName']];
  const was = metadataOf(old).annotations?.[betaClass];
  if (was === undefined || before !== undefined || now !== was) return false;
  return [undefined, was].includes(metadataOf(claim).annotations?.[betaClass]);
}

const sizeOf = (spec: JsonObject): bigint => amountOf(asObject(asObject(spec['resources'])['requests'])['storage']);

function immutableErrors(spec: JsonObject, old: JsonObject, isBound: boolean): Complaints {
  const before = { ...old, volumeName: old['volumeName'] ? old['volumeName'] : spec['volumeName'] };
  const after = withUpdatable(spec, old, isBound);
  if (sameJson(after, before)) return [];
  const [was, is] = [before, after].map((claim) => internalForm('core.PersistentVolumeClaimSpec', claim));
  const text =
    'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
  return [forbiddenField('spec', `${text}\n${unifiedDiff(was ?? null, is ?? null)}`)];
}

/** The spec with what may change as it was. */
function withUpdatable(spec: JsonObject, old: JsonObject, isBound: boolean): JsonObject {
  const { storageClassName, resources, volumeAttributesClassName } = spec;
  const requests = asObject(asObject(resources)['requests']);
  const oldSize = asObject(asObject(old['resources'])['requests'])['storage'];
  return {
    ...spec,
    storageClassName: old['storageClassName'] === undefined ? undefined : storageClassName,
    resources: isBound ? { ...asObject(resources), requests: { ...requests, storage: oldSize } } : resources,
    volumeAttributesClassName: isBound ? old['volumeAttributesClassName'] : volumeAttributesClassName,
  };
}
