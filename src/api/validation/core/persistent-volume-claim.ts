import {
  validateRequiredFields,
  validateOptionalText,
  validateOptionalEnum,
  validateEnum,
  eachOf,
  errorIf,
  eachKey,
  type FieldErrors,
} from '../field-rules.ts';
import { forbiddenField, invalidValue, notSupported, required } from '../../../machinery/meta/field-error.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { asList, asObject, asString, type JsonObject } from '../../../machinery/json/json.ts';
import { metadataOf, type StringMap, type ObjectMeta } from '../../../machinery/meta/object.ts';
import { dns1123Subdomain } from '../../../machinery/meta/names.ts';
import { unifiedDiff } from '../../../machinery/patch/unified-diff.ts';
import { toInternalForm } from '../../types/internal-form.ts';
import type * as core from '../../types/generated/core-v1.ts';
import type { PersistentVolumeClaimTemplate } from '../../types/generated/core-v1.ts';
import { validateLabelSelector, validateLabels } from '../meta/labels.ts';
import { validateImmutableField, validateAnnotations } from '../meta/object-meta.ts';
import { parseAmount } from '../meta/quantity-amount.ts';
import { isNative } from './resources.ts';

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

/** Follows kubernetes pkg/apis/core/validation ValidatePersistentVolumeClaimSpec. */
export function validatePersistentVolumeClaimSpec(spec: core.PersistentVolumeClaimSpec, path: string): FieldErrors {
  const modes = asList(spec.accessModes).map(asString);
  const storage = asObject(asObject(spec.resources).requests)['storage'];
  return [
    ...errorIf(modes.length === 0, () => required(`${path}.accessModes`, 'at least 1 access mode is required')),
    ...validateLabelSelector(spec.selector, `${path}.selector`),
    ...validateAccessModes(modes, `${path}.accessModes`),
    ...(storage === undefined
      ? [required(`${path}.resources[storage]`, '')]
      : errorIf(parseAmount(storage) <= 0n, () =>
          invalidValue(`${path}.resources[storage]`, asString(storage), 'must be greater than zero'),
        )),
    ...validateOptionalText(dns1123Subdomain, `${path}.storageClassName`, spec.storageClassName),
    ...validateOptionalEnum(`${path}.volumeMode`, spec.volumeMode, ['Block', 'Filesystem']),
    ...(['dataSource', 'dataSourceRef'] as const).flatMap((field) => {
      if (spec[field] === undefined) return [];
      const { kind, apiGroup } = asObject(spec[field]);
      const group = asString(apiGroup);
      const isCore = group === '' && asString(kind) !== 'PersistentVolumeClaim';
      return [
        ...validateRequiredFields(asObject(spec[field]), `${path}.${field}`, 'name', 'kind'),
        ...errorIf(isCore, () =>
          invalidValue(
            `${path}.${field}`,
            asString(kind),
            "must be 'PersistentVolumeClaim' when referencing the default apiGroup",
          ),
        ),
        ...validateOptionalText(dns1123Subdomain, `${path}.${field}.apiGroup`, group),
      ];
    }),
    ...validateDataSources(spec, path),
    ...validateOptionalText(dns1123Subdomain, `${path}.volumeAttributesClassName`, spec.volumeAttributesClassName),
  ];
}

export function validateAccessModes(modes: readonly string[], field: string): FieldErrors {
  const isMixed = modes.includes('ReadWriteOncePod') && modes.length > 1;
  return [
    ...eachOf(modes, (mode) => validateEnum(field, mode, accessModes)),
    ...errorIf(isMixed, () => forbiddenField(field, 'may not use ReadWriteOncePod with other access modes')),
  ];
}

/** Upstream passes an empty path element, so the error names the spec. */
function validateDataSources({ dataSource, dataSourceRef }: core.PersistentVolumeClaimSpec, path: string): FieldErrors {
  if (dataSource === undefined || dataSourceRef === undefined) return [];
  const [one, other] = [dataSource, dataSourceRef];
  if (asString(other.namespace) !== '') {
    return [invalidValue(path, {}, 'may not be specified when dataSourceRef.namespace is specified')];
  }
  const isSame = (['apiGroup', 'kind', 'name'] as const).every(
    (field) => asString(one[field]) === asString(other[field]),
  );
  return isSame ? [] : [invalidValue(path, {}, 'must match dataSourceRef')];
}

export const validatePersistentVolumeClaim = (claim: core.PersistentVolumeClaim): FieldErrors =>
  validatePersistentVolumeClaimSpec(asObject(claim.spec), 'spec');

/** Only a bound claim may grow. Follows kubernetes pkg/apis/core/validation ValidatePersistentVolumeClaimUpdate. */
export function validatePersistentVolumeClaimUpdate(
  claim: core.PersistentVolumeClaim,
  old: core.PersistentVolumeClaim,
  subresource: string,
): FieldErrors {
  if (subresource === 'status') return validatePersistentVolumeClaimStatus(asObject(claim.status));
  const [spec, oldSpec] = [asObject(claim.spec), asObject(old.spec)];
  const isBound = asObject(claim.status).phase === 'Bound';
  const [size, oldSize] = [requestedSize(spec), requestedSize(oldSpec)];
  const capacity = parseAmount(asObject(asObject(old.status).capacity)['storage']);
  return [
    ...validatePersistentVolumeClaim(claim),
    ...(isStorageClassUpgrade(claim, old)
      ? []
      : validateImmutableField(
          `metadata.annotations.${betaStorageClassAnnotation}`,
          betaStorageClass(claim),
          betaStorageClass(old),
        )),
    ...validateImmutableClaimSpec(spec, oldSpec, isBound),
    ...errorIf(size < oldSize && size <= capacity, () =>
      forbiddenField('spec.resources.requests.storage', 'field can not be less than status.capacity'),
    ),
    ...validateImmutableField('volumeMode', spec.volumeMode, oldSpec.volumeMode),
  ];
}

const resizeStatuses = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
];

/** Follows kubernetes pkg/apis/core/validation ValidatePersistentVolumeClaimStatusUpdate. */
function validatePersistentVolumeClaimStatus({
  capacity,
  allocatedResourceStatuses: resizes,
  allocatedResources,
}: core.PersistentVolumeClaimStatus): FieldErrors {
  const negative = (amounts: StringMap | undefined, path: string): FieldErrors =>
    eachKey(asObject(amounts), (name) =>
      errorIf(parseAmount(amounts?.[name]) < 0n, () =>
        invalidValue(`${path}[${name}]`, asString(amounts?.[name]), 'must be a valid resource quantity'),
      ),
    );
  const [statusAt, amountAt] = ['status.allocatedResourceStatuses', 'status.allocatedResources'];
  return [
    ...negative(capacity, 'status.capacity'),
    ...eachKey(asObject(resizes), (name) => [
      ...errorIf(!isResizableResource(name), () => notSupported(statusAt, name, ['storage'])),
      ...errorIf(!resizeStatuses.includes(asString(resizes?.[name])), () =>
        notSupported(statusAt, name, resizeStatuses),
      ),
    ]),
    ...eachKey(asObject(allocatedResources), (name) =>
      errorIf(!isResizableResource(name), () => notSupported(amountAt, name, ['storage'])),
    ),
    ...negative(allocatedResources, amountAt),
  ];
}

/** Storage, or an extended resource. */
const isResizableResource = (name: string): boolean => name === 'storage' || !isNative(name);

const betaStorageClassAnnotation = 'volume.beta.kubernetes.io/storage-class';
const betaStorageClass = (claim: core.PersistentVolumeClaim): string =>
  metadataOf(claim).annotations?.[betaStorageClassAnnotation] ?? '';

/** The class may move from the annotation to the field. Follows validateStorageClassUpgradeFromAnnotation. */
function isStorageClassUpgrade(claim: core.PersistentVolumeClaim, old: core.PersistentVolumeClaim): boolean {
  const [now, before] = [asObject(claim.spec).storageClassName, asObject(old.spec).storageClassName];
  const was = metadataOf(old).annotations?.[betaStorageClassAnnotation];
  if (was === undefined || before !== undefined || now !== was) return false;
  return [undefined, was].includes(metadataOf(claim).annotations?.[betaStorageClassAnnotation]);
}

const requestedSize = (spec: core.PersistentVolumeClaimSpec): bigint =>
  parseAmount(asObject(asObject(spec.resources).requests)['storage']);

function validateImmutableClaimSpec(
  spec: core.PersistentVolumeClaimSpec,
  old: core.PersistentVolumeClaimSpec,
  isBound: boolean,
): FieldErrors {
  const before = { ...old, volumeName: old.volumeName ? old.volumeName : spec.volumeName };
  const after = withUpdatable(spec, old, isBound);
  if (sameJson(after, before)) return [];
  const [was, is] = [before, after].map((claim) => toInternalForm('core.PersistentVolumeClaimSpec', claim));
  const text =
    'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
  return [forbiddenField('spec', `${text}\n${unifiedDiff(was ?? null, is ?? null)}`)];
}

/** Replaces updatable fields by the old values. */
function withUpdatable(
  spec: core.PersistentVolumeClaimSpec,
  old: core.PersistentVolumeClaimSpec,
  isBound: boolean,
): JsonObject {
  const { storageClassName, resources, volumeAttributesClassName } = spec;
  const requests = asObject(asObject(resources).requests);
  const oldSize = asObject(asObject(old.resources).requests)['storage'];
  return {
    ...spec,
    storageClassName: old.storageClassName === undefined ? undefined : storageClassName,
    resources: isBound ? { ...asObject(resources), requests: { ...requests, storage: oldSize } } : resources,
    volumeAttributesClassName: isBound ? old.volumeAttributesClassName : volumeAttributesClassName,
  };
}

/** Follows kubernetes pkg/apis/core/validation ValidatePersistentVolumeClaimTemplate. */
export const validatePersistentVolumeClaimTemplate = (
  template: PersistentVolumeClaimTemplate | undefined,
  path: string,
): FieldErrors =>
  template === undefined
    ? [required(path, '')]
    : [
        ...validateTemplateObjectMeta(asObject(template.metadata), `${path}.metadata`),
        ...validatePersistentVolumeClaimSpec(asObject(template.spec), `${path}.spec`),
      ];

/** Only labels and annotations are allowed. Follows ValidateTemplateObjectMeta. */
export const validateTemplateObjectMeta = (metadata: ObjectMeta, path: string): FieldErrors => {
  const fields: JsonObject = metadata;
  return [
    ...validateAnnotations(asObject(metadata.annotations), `${path}.annotations`),
    ...validateLabels(metadata.labels, `${path}.labels`),
    ...Object.keys(fields)
      .filter((field) => field !== 'annotations' && field !== 'labels' && fields[field] !== null)
      .map((field) => forbiddenField(`${path}.${field}`, 'cannot be set')),
  ];
};
