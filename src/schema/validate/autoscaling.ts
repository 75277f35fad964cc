import { invalidValue, required } from '../../apimachinery/field-error.ts';
import { sameJson } from '../../apimachinery/json-equal.ts';
import { asObject, asString } from '../../apimachinery/json.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import { dns1123Label, pathSegmentName } from '../../apimachinery/names.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import { oneOfIfSet, requiredText, when } from './field-rules.ts';
import type { Complaints } from './field-rules.ts';
import { validateLabelSelector } from './labels.ts';
import { countOrPercent } from './workloads.ts';

/** The parts that both served versions share. Follows kubernetes pkg/apis/autoscaling/validation validateHorizontalPodAutoscalerSpec. */
export function validateAutoscaler(autoscaler: KubernetesObject): Complaints {
  const spec = asObject(autoscaler['spec']);
  const { minReplicas, maxReplicas = 0 } = spec;
  const target = asObject(spec['scaleTargetRef']);
  return [
    ...when(minReplicas !== undefined && Number(minReplicas) < 1, () =>
      invalidValue('spec.minReplicas', minReplicas ?? 0, 'must be greater than or equal to 1'),
    ),
    ...when(Number(maxReplicas) < 1, () => invalidValue('spec.maxReplicas', maxReplicas, 'must be greater than 0')),
    ...when(minReplicas !== undefined && Number(maxReplicas) < Number(minReplicas), () =>
      invalidValue('spec.maxReplicas', maxReplicas, 'must be greater than or equal to `minReplicas`'),
    ),
    ...requiredText(pathSegmentName, 'spec.scaleTargetRef.kind', asString(target['kind'])),
    ...requiredText(pathSegmentName, 'spec.scaleTargetRef.name', asString(target['name'])),
    ...behaviorErrors(asObject(spec['behavior'])),
  ];
}

function behaviorErrors(behavior: JsonObject): Complaints {
  return (['scaleUp', 'scaleDown'] as const).flatMap((direction) => {
    if (behavior[direction] === undefined) return [];
    const rules = asObject(behavior[direction]);
    const path = `spec.behavior.${direction}`;
    const seconds = rules['stabilizationWindowSeconds'];
    return [
      ...when(seconds !== undefined && Number(seconds) < 0, () =>
        invalidValue(`${path}.stabilizationWindowSeconds`, seconds ?? 0, 'must be greater than or equal to zero'),
      ),
      ...when(seconds !== undefined && Number(seconds) > 3600, () =>
        invalidValue(`${path}.stabilizationWindowSeconds`, seconds ?? 0, 'must be less than or equal to 3600'),
      ),
      ...oneOfIfSet(`${path}.selectPolicy`, rules['selectPolicy'], ['Disabled', 'Max', 'Min']),
    ];
  });
}

export const validateAutoscalerUpdate = (
  autoscaler: KubernetesObject,
  _old: KubernetesObject,
  subresource: string,
): Complaints => (subresource === 'status' ? [] : validateAutoscaler(autoscaler));

/** Follows kubernetes pkg/apis/policy/validation ValidatePodDisruptionBudgetSpec. */
export function validateDisruptionBudget(budget: KubernetesObject): Complaints {
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy } = asObject(budget['spec']);
  return [
    ...when(minAvailable !== undefined && maxUnavailable !== undefined, () =>
      invalidValue(
        'spec',
        specAsGoPrints(asObject(budget['spec'])),
        'minAvailable and maxUnavailable cannot be both set',
      ),
    ),
    ...(minAvailable === undefined ? [] : countOrPercent('spec.minAvailable', minAvailable)),
    ...(maxUnavailable === undefined ? [] : countOrPercent('spec.maxUnavailable', maxUnavailable)),
    ...validateLabelSelector(selector, 'spec.selector'),
    ...oneOfIfSet('spec.unhealthyPodEvictionPolicy', unhealthyPodEvictionPolicy, ['AlwaysAllow', 'IfHealthyBudget']),
  ];
}

/** Upstream prints its internal struct, which has no JSON names. */
const specAsGoPrints = (spec: JsonObject): JsonObject => ({
  MinAvailable: spec['minAvailable'] ?? null,
  Selector: spec['selector'] ?? null,
  MaxUnavailable: spec['maxUnavailable'] ?? null,
  UnhealthyPodEvictionPolicy: spec['unhealthyPodEvictionPolicy'] ?? null,
});

export const validateDisruptionBudgetUpdate = (
  budget: KubernetesObject,
  _old: KubernetesObject,
  subresource: string,
): Complaints => (subresource === 'status' ? [] : validateDisruptionBudget(budget));

/** Follows kubernetes pkg/apis/coordination/validation ValidateLease. */
export function validateLease(lease: KubernetesObject): Complaints {
  const { leaseDurationSeconds, leaseTransitions, holderIdentity } = asObject(lease['spec']);
  return [
    ...when(leaseDurationSeconds !== undefined && Number(leaseDurationSeconds) <= 0, () =>
      invalidValue('spec.leaseDurationSeconds', leaseDurationSeconds ?? 0, 'must be greater than 0'),
    ),
    ...when(leaseTransitions !== undefined && Number(leaseTransitions) < 0, () =>
      invalidValue('spec.leaseTransitions', leaseTransitions ?? 0, 'must be greater than or equal to 0'),
    ),
    ...when(holderIdentity === '', () => invalidValue('spec.holderIdentity', '', 'must not be empty')),
  ];
}

/** Follows kubernetes pkg/apis/apps/validation ValidateControllerRevision. */
export const validateControllerRevision = (revision: KubernetesObject): Complaints => [
  ...when(revision['data'] === undefined, () => required('data', 'data is mandatory')),
  ...when(Number(revision['revision'] ?? 0) < 0, () =>
    invalidValue('revision', revision['revision'] ?? 0, 'must be greater than or equal to 0'),
  ),
];

export const validateControllerRevisionUpdate = (revision: KubernetesObject, old: KubernetesObject): Complaints => [
  ...validateControllerRevision(revision),
  ...when(!sameJson(revision['data'], old['data']), () =>
    invalidValue('data', revision['data'] ?? null, 'field is immutable'),
  ),
];

/** Follows kubernetes pkg/apis/node/validation ValidateRuntimeClass. */
export const validateRuntimeClass = (runtimeClass: KubernetesObject): Complaints =>
  requiredText(dns1123Label, 'handler', asString(runtimeClass['handler']));

export const validateRuntimeClassUpdate = (runtimeClass: KubernetesObject, old: KubernetesObject): Complaints =>
  when(runtimeClass['handler'] !== old['handler'], () =>
    invalidValue('handler', asString(runtimeClass['handler']), 'field is immutable'),
  );
