import { nonNegativeErrors, invalidTextErrors, enumErrors, each, errorIf, type FieldErrors } from '../field-rules.ts';
import { invalidValue, required } from '../../../machinery/meta/field-error.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { asList, asObject, asString, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { dns1123Label } from '../../../machinery/meta/names.ts';
import type * as apps from '../../types/generated/apps-v1.ts';
import { newInvalidSelector, validateLabelSelector } from '../meta/labels.ts';
import { validateClaimSpec } from '../core/persistent-volume-claim.ts';
import { runningErrors, validateSelectedTemplate } from '../core/pod-template.ts';
import {
  maxPercentErrors,
  countOrPercent,
  isReadable,
  isZero,
  unreadableSelectorErrors,
  isEmptySelector,
  maxCountErrors,
  decrementErrors,
} from './workloads.ts';
import { toInternalForm, withoutEmpty } from '../../types/internal-form.ts';
import { immutableFieldErrors, immutableText } from '../meta/object-meta.ts';
import type { PersistentVolumeClaim, Volume } from '../../types/generated/core-v1.ts';

/** Follows kubernetes pkg/apis/apps/validation ValidateStatefulSetSpec. */
export function validateStatefulSet(statefulSet: apps.StatefulSet, isNew = true): FieldErrors {
  const spec = asObject(statefulSet.spec);
  const strategy = asObject(spec.updateStrategy);
  const { selector } = spec;
  const name = asString(spec.serviceName);
  return [
    ...managementErrors(spec.podManagementPolicy),
    ...strategyErrors(strategy),
    ...retentionErrors(spec.persistentVolumeClaimRetentionPolicy),
    ...(isNew
      ? each(spec.volumeClaimTemplates, 'spec.volumeClaimTemplates', (claim, at) =>
          validateClaimSpec(asObject(claim.spec), `${at}.spec`),
        )
      : []),
    ...nonNegativeErrors('spec.replicas', spec.replicas),
    ...nonNegativeErrors('spec.minReadySeconds', spec.minReadySeconds),
    ...nonNegativeErrors('spec.ordinals.start', asObject(spec.ordinals).start),
    ...(isNew && name !== '' ? invalidTextErrors(dns1123Label, 'spec.serviceName', name) : []),
    ...(selector === undefined || selector === null
      ? [required('spec.selector', '')]
      : [
          ...validateLabelSelector(selector, 'spec.selector'),
          ...errorIf(isEmptySelector(selector), () =>
            newInvalidSelector('spec.selector', selector, 'empty selector is invalid for statefulset'),
          ),
          ...unreadableSelectorErrors(selector, 'spec.selector', ''),
        ]),
    ...(isReadable(selector)
      ? validateSelectedTemplate(withClaimVolumes(spec), selector, 'StatefulSet', true)
      : runningErrors(spec.template, 'StatefulSet')),
  ];
}

function managementErrors(policy: JsonValue | undefined): FieldErrors {
  const [field, name] = ['spec.podManagementPolicy', asString(policy)];
  if (name === '') return [required(field, '')];
  const isKnown = name === 'OrderedReady' || name === 'Parallel';
  return errorIf(!isKnown, () => invalidValue(field, name, "must be 'OrderedReady' or 'Parallel'"));
}

function strategyErrors(strategy: apps.StatefulSetUpdateStrategy): FieldErrors {
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
      return rollingErrors(asObject(rollingUpdate), `${path}.rollingUpdate`);
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
function rollingErrors(
  { partition, maxUnavailable }: apps.RollingUpdateStatefulSetStrategy,
  path: string,
): FieldErrors {
  const field = `${path}.maxUnavailable`;
  if (maxUnavailable === undefined) return nonNegativeErrors(`${path}.partition`, partition);
  return [
    ...nonNegativeErrors(`${path}.partition`, partition),
    ...countOrPercent(field, maxUnavailable),
    ...errorIf(isZero(maxUnavailable), () => invalidValue(field, maxUnavailable, 'cannot be 0')),
    ...maxPercentErrors(field, maxUnavailable),
  ];
}

function retentionErrors(policy: apps.StatefulSetPersistentVolumeClaimRetentionPolicy | undefined): FieldErrors {
  if (policy === undefined) return [];
  return (['whenDeleted', 'whenScaled'] as const).flatMap((field) => {
    const value = asString(asObject(policy)[field]);
    return enumErrors(`spec.persistentVolumeClaimRetentionPolicy.${field}`, value, ['Retain', 'Delete']);
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
  if (subresource === 'status') return statusErrors(asObject(statefulSet.status), asObject(old.status));
  const [spec, oldSpec] = [asObject(statefulSet.spec), asObject(old.spec)];
  return [
    ...validateStatefulSet(statefulSet, false),
    ...immutableFieldErrors('spec.selector', spec.selector, oldSpec.selector),
    ...errorIf(!sameJson(spec.volumeClaimTemplates, oldSpec.volumeClaimTemplates), () =>
      invalidValue(
        'spec.volumeClaimTemplates',
        spec.volumeClaimTemplates === undefined ? null : asList(spec.volumeClaimTemplates).map(formatClaim),
        immutableText,
      ),
    ),
    ...immutableFieldErrors('spec.serviceName', spec.serviceName, oldSpec.serviceName, ''),
    ...immutableFieldErrors('spec.podManagementPolicy', spec.podManagementPolicy, oldSpec.podManagementPolicy, ''),
  ];
}

const formatClaim = ({ metadata, spec }: Partial<PersistentVolumeClaim>): JsonObject => ({
  ...asObject(withoutEmpty(asObject(metadata))),
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

const counts = [
  'replicas',
  'readyReplicas',
  'currentReplicas',
  'updatedReplicas',
  'availableReplicas',
  'observedGeneration',
  'collisionCount',
] as const;

/** Follows ValidateStatefulSetStatusUpdate. */
function statusErrors(status: apps.StatefulSetStatus, old: apps.StatefulSetStatus): FieldErrors {
  return [
    ...counts.flatMap((field) => nonNegativeErrors(`status.${field}`, status[field])),
    ...counts.slice(1, 5).flatMap((field) => maxCountErrors(status, field, 'replicas')),
    ...maxCountErrors(status, 'availableReplicas', 'readyReplicas'),
    ...decrementErrors(status.collisionCount, old.collisionCount),
  ];
}
