import {
  validateOptionalEnum,
  validateEnum,
  validateNonNegative,
  each,
  errorIf,
  type FieldErrors,
} from '../field-rules.ts';
import { forbiddenField, invalidValue, required } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString, isJsonObject, type JsonObject } from '../../../machinery/json/json.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import type * as autoscaling from '../../types/generated/autoscaling-v2.ts';
import type {
  PodDisruptionBudget,
  PodDisruptionBudgetSpec,
  PodDisruptionBudgetStatus,
} from '../../types/generated/policy-v1.ts';
import type { Lease } from '../../types/generated/coordination-v1.ts';
import type { ControllerRevision } from '../../types/generated/apps-v1.ts';
import { validateMetricSpec, validateCrossVersionObjectReference } from './autoscaler-metrics.ts';
import { validateConditions } from '../meta/conditions.ts';
import { validateLabelSelector } from '../meta/labels.ts';
import { subdomainName, validateCoreObjectMeta, validateImmutableField } from '../meta/object-meta.ts';
import { parseAmount } from '../meta/quantity-amount.ts';
import { validateNotMoreThan100Percent, validatePositiveIntOrPercent } from '../apps/workloads.ts';

/** Follows kubernetes pkg/apis/autoscaling/validation validateHorizontalPodAutoscalerSpec. */
export function validateHorizontalPodAutoscaler(
  autoscaler: autoscaling.HorizontalPodAutoscaler,
  old?: autoscaling.HorizontalPodAutoscaler,
): FieldErrors {
  const spec = asObject(autoscaler.spec);
  const { minReplicas, maxReplicas = 0 } = spec;
  return [
    ...validateNonNegative('spec.minReplicas', minReplicas),
    ...errorIf(Number(maxReplicas) === 0, () => required('spec.maxReplicas', 'must be set and greater than 0')),
    ...errorIf(Number(maxReplicas) < 0, () =>
      invalidValue('spec.maxReplicas', maxReplicas, 'must be greater than or equal to 1'),
    ),
    ...errorIf(minReplicas !== undefined && Number(maxReplicas) < Number(minReplicas), () =>
      invalidValue('spec.maxReplicas', maxReplicas, 'must be greater than or equal to `minReplicas`'),
    ),
    ...validateCrossVersionObjectReference(asObject(spec.scaleTargetRef), 'spec.scaleTargetRef'),
    ...validateApiVersion(asObject(spec.scaleTargetRef), old),
    ...each(spec.metrics, 'spec.metrics', validateMetricSpec),
    ...errorIf(minReplicas === 0 && !canScaleToZero(spec), () =>
      forbiddenField(
        'spec.metrics',
        'must specify at least one Object or External metric to support scaling to zero replicas',
      ),
    ),
    ...validateBehavior(asObject(spec.behavior)),
  ];
}

/** An unchanged target is not checked. Follows ValidateAPIVersion. */
function validateApiVersion(
  target: autoscaling.CrossVersionObjectReference,
  old: autoscaling.HorizontalPodAutoscaler | undefined,
): FieldErrors {
  const field = 'spec.scaleTargetRef.apiVersion';
  const [text, kind] = [asString(target.apiVersion), asString(target.kind)];
  const before = asObject(asObject(old?.spec).scaleTargetRef);
  if (old && asString(before.apiVersion) === text && asString(before.kind) === kind) return [];
  const slashes = text.split('/').length - 1;
  if (slashes > 1) return [invalidValue(field, text, `unexpected GroupVersion string: ${text}`)];
  const hasGroup = slashes === 1 && !text.startsWith('/');
  return errorIf(!hasGroup && kind !== 'ReplicationController', () =>
    invalidValue(field, text, 'apiVersion must specify API group'),
  );
}

const canScaleToZero = ({ metrics }: autoscaling.HorizontalPodAutoscalerSpec): boolean =>
  asList(metrics).some((metric) => ['Object', 'External'].includes(asString(asObject(metric).type)));

function validateBehavior(behavior: autoscaling.HorizontalPodAutoscalerBehavior): FieldErrors {
  return (['scaleUp', 'scaleDown'] as const).flatMap((direction) => {
    if (behavior[direction] === undefined) return [];
    const rules = asObject(behavior[direction]);
    const path = `spec.behavior.${direction}`;
    const seconds = rules.stabilizationWindowSeconds;
    return [
      ...errorIf(seconds !== undefined && Number(seconds) < 0, () =>
        invalidValue(`${path}.stabilizationWindowSeconds`, seconds ?? 0, 'must be greater than or equal to zero'),
      ),
      ...errorIf(seconds !== undefined && Number(seconds) > 3600, () =>
        invalidValue(`${path}.stabilizationWindowSeconds`, seconds ?? 0, 'must be less than or equal to 3600'),
      ),
      ...validateOptionalEnum(`${path}.selectPolicy`, rules.selectPolicy, ['Disabled', 'Max', 'Min']),
      ...errorIf(asList(rules.policies).length === 0, () =>
        required(`${path}.policies`, 'must specify at least one Policy'),
      ),
      ...each(rules.policies, `${path}.policies`, validateScalingPolicy),
      ...errorIf(rules.tolerance !== undefined && parseAmount(rules.tolerance) < 0n, () =>
        invalidValue(`${path}.tolerance`, rules.tolerance ?? '', 'must be greater than or equal to 0'),
      ),
    ];
  });
}

function validateScalingPolicy(policy: autoscaling.HPAScalingPolicy, path: string): FieldErrors {
  const [value, seconds] = [policy.value ?? 0, policy.periodSeconds ?? 0];
  const type = asString(policy.type);
  return [
    ...validateEnum(`${path}.type`, type, ['Percent', 'Pods']),
    ...errorIf(Number(value) <= 0, () => invalidValue(`${path}.value`, value, 'must be greater than zero')),
    ...errorIf(Number(seconds) <= 0, () => invalidValue(`${path}.periodSeconds`, seconds, 'must be greater than zero')),
    ...errorIf(Number(seconds) > 1800, () =>
      invalidValue(`${path}.periodSeconds`, seconds, 'must be less than or equal to 1800'),
    ),
  ];
}

export function validateHorizontalPodAutoscalerUpdate(
  autoscaler: autoscaling.HorizontalPodAutoscaler,
  old: autoscaling.HorizontalPodAutoscaler,
  subresource: string,
): FieldErrors {
  if (subresource !== 'status') {
    return validateHorizontalPodAutoscaler(autoscaler, old);
  }
  const { currentReplicas, desiredReplicas } = asObject(autoscaler.status);
  return [
    ...validateNonNegative('status.currentReplicas', currentReplicas),
    ...validateNonNegative('status.desiredReplicas', desiredReplicas),
  ];
}

/** Follows kubernetes pkg/apis/policy/validation ValidatePodDisruptionBudgetSpec. */
export function validatePodDisruptionBudget(budget: PodDisruptionBudget): FieldErrors {
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy } = asObject(budget.spec);
  return [
    ...errorIf(minAvailable !== undefined && maxUnavailable !== undefined, () =>
      invalidValue('spec', formatSpec(asObject(budget.spec)), 'minAvailable and maxUnavailable cannot be both set'),
    ),
    ...validatePositiveIntOrPercent('spec.minAvailable', minAvailable),
    ...validateNotMoreThan100Percent('spec.minAvailable', minAvailable),
    ...validatePositiveIntOrPercent('spec.maxUnavailable', maxUnavailable),
    ...validateNotMoreThan100Percent('spec.maxUnavailable', maxUnavailable),
    ...validateLabelSelector(selector, 'spec.selector'),
    ...validateOptionalEnum('spec.unhealthyPodEvictionPolicy', unhealthyPodEvictionPolicy, [
      'AlwaysAllow',
      'IfHealthyBudget',
    ]),
  ];
}

/** Upstream prints the internal struct, without JSON names. */
const formatSpec = (spec: PodDisruptionBudgetSpec): JsonObject => ({
  MinAvailable: spec.minAvailable ?? null,
  Selector: spec.selector ?? null,
  MaxUnavailable: spec.maxUnavailable ?? null,
  UnhealthyPodEvictionPolicy: spec.unhealthyPodEvictionPolicy ?? null,
});

export const validatePodDisruptionBudgetUpdate = (
  budget: PodDisruptionBudget,
  _old: PodDisruptionBudget,
  subresource: string,
): FieldErrors =>
  subresource === 'status'
    ? validatePodDisruptionBudgetStatus(asObject(budget.status))
    : validatePodDisruptionBudget(budget);

const statusCounts = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'] as const;

/** Follows kubernetes pkg/apis/policy/validation ValidatePodDisruptionBudgetStatusUpdate. */
const validatePodDisruptionBudgetStatus = (status: PodDisruptionBudgetStatus): FieldErrors => [
  ...validateConditions(status.conditions, 'status.conditions'),
  ...statusCounts.flatMap((field) => validateNonNegative(`status.${field}`, status[field])),
];

/** Follows kubernetes pkg/apis/coordination/validation ValidateLease. */
export function validateLease(lease: Lease): FieldErrors {
  const { leaseDurationSeconds, leaseTransitions } = asObject(lease.spec);
  return [
    ...errorIf(leaseDurationSeconds !== undefined && Number(leaseDurationSeconds) <= 0, () =>
      invalidValue('spec.leaseDurationSeconds', leaseDurationSeconds ?? 0, 'must be greater than 0'),
    ),
    ...validateNonNegative('spec.leaseTransitions', leaseTransitions),
  ];
}

/** Follows kubernetes pkg/apis/apps/validation ValidateControllerRevision. */
export function validateControllerRevision(revision: ControllerRevision): FieldErrors {
  const data = revision.data ?? null;
  return [
    ...validateNonNegative('revision', revision.revision),
    ...errorIf(data === null, () => required('data', 'data is mandatory')),
    ...errorIf(data !== null && !isJsonObject(data), () => required('data', 'data must be a valid JSON object')),
  ];
}

export const validateControllerRevisionUpdate = (
  revision: ControllerRevision,
  old: ControllerRevision,
): FieldErrors => [
  ...validateCoreObjectMeta(metadataOf(revision), true, subdomainName),
  ...validateNonNegative('revision', revision.revision),
  ...validateImmutableField('data', revision.data, old.data),
];
