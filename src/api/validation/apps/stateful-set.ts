import { validateNonNegative, validateText, validateEnum, each, errorIf, type FieldErrors } from '../field-rules.ts';
import { invalidValue, required } from '../../../machinery/meta/field-error.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { asList, asObject, asString, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { dns1123Label } from '../../../machinery/meta/names.ts';
import type * as apps from '../../types/generated/apps-v1.ts';
import { newInvalidSelector, validateLabelSelector } from '../meta/labels.ts';
import { validatePersistentVolumeClaimSpec } from '../core/persistent-volume-claim.ts';
import { validateAlwaysRestarted, validateSelectedTemplate } from '../core/pod-template.ts';
import {
  validateNotMoreThan100Percent,
  validatePositiveIntOrPercent,
  isValidSelector,
  isZero,
  validateSelectorSyntax,
  isEmptySelector,
  validateNotMoreThan,
  validateCollisionCount,
} from './workloads.ts';
import { toInternalForm, dropEmpty } from '../../types/internal-form.ts';
import { validateImmutableField, immutableText } from '../meta/object-meta.ts';
import type { PersistentVolumeClaim, Volume } from '../../types/generated/core-v1.ts';

/** Follows kubernetes pkg/apis/apps/validation ValidateStatefulSetSpec. */
export function validateStatefulSet(statefulSet: apps.StatefulSet, isNew = true): FieldErrors {
  const spec = asObject(statefulSet.spec);
  const strategy = asObject(spec.updateStrategy);
  const { selector } = spec;
  const name = asString(spec.serviceName);
  return [
    ...validatePodManagementPolicy(spec.podManagementPolicy),
    ...validateUpdateStrategy(strategy),
    ...validateClaimRetentionPolicy(spec.persistentVolumeClaimRetentionPolicy),
    ...(isNew
      ? each(spec.volumeClaimTemplates, 'spec.volumeClaimTemplates', (claim, at) =>
          validatePersistentVolumeClaimSpec(asObject(claim.spec), `${at}.spec`),
        )
      : []),
    ...validateNonNegative('spec.replicas', spec.replicas),
    ...validateNonNegative('spec.minReadySeconds', spec.minReadySeconds),
    ...validateNonNegative('spec.ordinals.start', asObject(spec.ordinals).start),
    ...(isNew && name !== '' ? validateText(dns1123Label, 'spec.serviceName', name) : []),
    ...(selector === undefined || selector === null
      ? [required('spec.selector', '')]
      : [
          ...validateLabelSelector(selector, 'spec.selector'),
          ...errorIf(isEmptySelector(selector), () =>
            newInvalidSelector('spec.selector', selector, 'empty selector is invalid for statefulset'),
          ),
          ...validateSelectorSyntax(selector, ''),
        ]),
    ...(isValidSelector(selector)
      ? validateSelectedTemplate(withClaimVolumes(spec), selector, 'StatefulSet', true)
      : validateAlwaysRestarted(spec.template, 'StatefulSet')),
  ];
}

function validatePodManagementPolicy(policy: JsonValue | undefined): FieldErrors {
  const [field, name] = ['spec.podManagementPolicy', asString(policy)];
  if (name === '') return [required(field, '')];
  const isKnown = name === 'OrderedReady' || name === 'Parallel';
  return errorIf(!isKnown, () => invalidValue(field, name, "must be 'OrderedReady' or 'Parallel'"));
}

function validateUpdateStrategy(strategy: apps.StatefulSetUpdateStrategy): FieldErrors {
  const path = 'spec.updateStrategy';
  const { type, rollingUpdate } = strategy;
  const struct = (): JsonObject => ({ Type: asString(type), RollingUpdate: formatRollingUpdate(rollingUpdate) });
  switch (asString(type)) {
    case '':
      return [required(path, '')];
    case 'OnDelete':
      return errorIf(rollingUpdate !== undefined, () =>
        invalidValue(
          `${path}.rollingUpdate`,
          formatRollingUpdate(rollingUpdate),
          "only allowed for updateStrategy 'RollingUpdate'",
        ),
      );
    case 'RollingUpdate':
      return validateRollingUpdate(asObject(rollingUpdate), `${path}.rollingUpdate`);
    default:
      return [invalidValue(path, struct(), "must be 'RollingUpdate' or 'OnDelete'")];
  }
}

const formatRollingUpdate = (rollingUpdate: apps.RollingUpdateStatefulSetStrategy | undefined): JsonValue =>
  rollingUpdate === undefined
    ? null
    : {
        Partition: asObject(rollingUpdate).partition ?? 0,
        MaxUnavailable: asObject(rollingUpdate).maxUnavailable ?? null,
      };

/** Follows kubernetes pkg/apis/apps/validation validateRollingUpdateStatefulSet. */
function validateRollingUpdate(
  { partition, maxUnavailable }: apps.RollingUpdateStatefulSetStrategy,
  path: string,
): FieldErrors {
  const field = `${path}.maxUnavailable`;
  if (maxUnavailable === undefined) return validateNonNegative(`${path}.partition`, partition);
  return [
    ...validateNonNegative(`${path}.partition`, partition),
    ...validatePositiveIntOrPercent(field, maxUnavailable),
    ...errorIf(isZero(maxUnavailable), () => invalidValue(field, maxUnavailable, 'cannot be 0')),
    ...validateNotMoreThan100Percent(field, maxUnavailable),
  ];
}

function validateClaimRetentionPolicy(
  policy: apps.StatefulSetPersistentVolumeClaimRetentionPolicy | undefined,
): FieldErrors {
  if (policy === undefined) return [];
  return (['whenDeleted', 'whenScaled'] as const).flatMap((field) => {
    const value = asString(asObject(policy)[field]);
    return validateEnum(`spec.persistentVolumeClaimRetentionPolicy.${field}`, value, ['Retain', 'Delete']);
  });
}

/** Adds the volumes of claim templates, removes fields set per Pod. */
function withClaimVolumes(spec: apps.StatefulSetSpec): JsonObject {
  const claims = asList(spec.volumeClaimTemplates).map((claim): Volume & { readonly name: string } => {
    const name = asString(claim.metadata?.name);
    return { name, persistentVolumeClaim: { claimName: name } };
  });
  const template = asObject(spec.template);
  const { subdomain: _subdomain, hostname: _hostname, ...podSpec } = asObject(template.spec);
  const names = new Set(claims.map(({ name }) => name));
  const others = asList(podSpec.volumes).filter((volume) => !names.has(asObject(volume).name ?? ''));
  const volumes = [...claims, ...others];
  return {
    ...spec,
    template: { ...template, spec: { ...podSpec, ...(volumes.length === 0 ? {} : { volumes }) } },
  };
}

/** Follows kubernetes pkg/apis/apps/validation ValidateStatefulSetUpdate. */
export function validateStatefulSetUpdate(
  statefulSet: apps.StatefulSet,
  old: apps.StatefulSet,
  subresource: string,
): FieldErrors {
  if (subresource === 'status') return validateStatefulSetStatus(asObject(statefulSet.status), asObject(old.status));
  const [spec, oldSpec] = [asObject(statefulSet.spec), asObject(old.spec)];
  return [
    ...validateStatefulSet(statefulSet, false),
    ...validateImmutableField('spec.selector', spec.selector, oldSpec.selector),
    ...errorIf(!sameJson(spec.volumeClaimTemplates, oldSpec.volumeClaimTemplates), () =>
      invalidValue(
        'spec.volumeClaimTemplates',
        spec.volumeClaimTemplates === undefined ? null : asList(spec.volumeClaimTemplates).map(formatClaim),
        immutableText,
      ),
    ),
    ...validateImmutableField('spec.serviceName', spec.serviceName, oldSpec.serviceName, ''),
    ...validateImmutableField('spec.podManagementPolicy', spec.podManagementPolicy, oldSpec.podManagementPolicy, ''),
  ];
}

const formatClaim = ({ metadata, spec }: Partial<PersistentVolumeClaim>): JsonObject => ({
  ...asObject(dropEmpty(asObject(metadata))),
  Spec: toInternalForm('core.PersistentVolumeClaimSpec', asObject(spec)),
  Status: {
    Phase: 'Pending',
    AccessModes: null,
    Capacity: null,
    Conditions: null,
    AllocatedResources: null,
    AllocatedResourceStatuses: null,
    CurrentVolumeAttributesClassName: null,
    ModifyVolumeStatus: null,
    HealthStatus: null,
  },
});

const statusCounts = [
  'replicas',
  'readyReplicas',
  'currentReplicas',
  'updatedReplicas',
  'availableReplicas',
  'observedGeneration',
  'collisionCount',
] as const;

/** Follows ValidateStatefulSetStatusUpdate. */
function validateStatefulSetStatus(status: apps.StatefulSetStatus, old: apps.StatefulSetStatus): FieldErrors {
  return [
    ...statusCounts.flatMap((field) => validateNonNegative(`status.${field}`, status[field])),
    ...statusCounts.slice(1, 5).flatMap((field) => validateNotMoreThan(status, field, 'replicas')),
    ...validateNotMoreThan(status, 'availableReplicas', 'readyReplicas'),
    ...validateCollisionCount(status.collisionCount, old.collisionCount),
  ];
}
