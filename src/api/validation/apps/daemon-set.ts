import { validateNonNegative, specOf, errorIf, type FieldErrors } from '../field-rules.ts';
import { invalidValue, notSupported, required } from '../../../machinery/meta/field-error.ts';
import { asObject, asString } from '../../../machinery/json/json.ts';
import type * as apps from '../../types/generated/apps-v1.ts';
import { newInvalidSelector, validateLabelSelector } from '../meta/labels.ts';
import { validateSelectedTemplate } from '../core/pod-template.ts';
import {
  validateNotMoreThan100Percent,
  validatePositiveIntOrPercent,
  isEmptySelector,
  isZero,
  validateImmutableSelector,
  formatStrategy,
} from './workloads.ts';

/** Follows kubernetes pkg/apis/apps/validation ValidateDaemonSetSpec. */
export function validateDaemonSet(daemonSet: apps.DaemonSet): FieldErrors {
  const spec = specOf(daemonSet);
  const strategy = asObject(spec.updateStrategy);
  return [
    ...(spec.selector === undefined ? [] : validateLabelSelector(spec.selector, 'spec.selector')),
    ...validateTemplate(spec),
    ...validateNonNegative('spec.minReadySeconds', spec.minReadySeconds),
    ...errorIf(!['RollingUpdate', 'OnDelete'].includes(asString(strategy.type)), () =>
      notSupported('spec.updateStrategy', formatStrategy(strategy), ['RollingUpdate', 'OnDelete']),
    ),
    ...(strategy.type === 'RollingUpdate' ? validateRollingUpdate(asObject(strategy.rollingUpdate)) : []),
    ...validateNonNegative('spec.revisionHistoryLimit', spec.revisionHistoryLimit),
  ];
}

/** A missing selector matches nothing; upstream reports labels before other template errors. */
function validateTemplate(spec: apps.DeploymentSpec | apps.DaemonSetSpec): FieldErrors {
  const { selector } = spec;
  const isMissing = selector === undefined || selector === null;
  const [mismatch, rest] = isMissing
    ? [newTemplateMismatch(spec), validateSelectedTemplate(spec, undefined, 'DaemonSet')]
    : [[], validateSelectedTemplate(spec, selector, 'DaemonSet')];
  const empty = errorIf(!isMissing && isEmptySelector(selector), () =>
    newInvalidSelector('spec.selector', selector ?? {}, 'empty selector is invalid for daemonset'),
  );
  return [...mismatch, ...empty, ...rest];
}

const newTemplateMismatch = (spec: apps.DeploymentSpec | apps.DaemonSetSpec): FieldErrors => [
  invalidValue(
    'spec.template.metadata.labels',
    asObject(asObject(spec.template).metadata).labels ?? null,
    '`selector` does not match template `labels`',
  ),
];

/** Exactly one of the two is nonzero. Follows kubernetes pkg/apis/apps/validation ValidateRollingUpdateDaemonSet. */
function validateRollingUpdate({ maxUnavailable = 0, maxSurge = 0 }: apps.RollingUpdateDaemonSet): FieldErrors {
  const path = 'spec.updateStrategy.rollingUpdate';
  const [noUnavailable, noSurge] = [isZero(maxUnavailable), isZero(maxSurge)];
  return [
    ...validatePositiveIntOrPercent(`${path}.maxUnavailable`, maxUnavailable),
    ...validatePositiveIntOrPercent(`${path}.maxSurge`, maxSurge),
    ...validateNotMoreThan100Percent(`${path}.maxUnavailable`, maxUnavailable),
    ...validateNotMoreThan100Percent(`${path}.maxSurge`, maxSurge),
    ...errorIf(!noUnavailable && !noSurge, () =>
      invalidValue(`${path}.maxSurge`, maxSurge, 'may not be set when maxUnavailable is non-zero'),
    ),
    ...errorIf(noUnavailable && noSurge, () => required(`${path}.maxUnavailable`, 'cannot be 0 when maxSurge is 0')),
  ];
}

/** Upstream checks immutable fields first. */
export const validateDaemonSetUpdate = (
  daemonSet: apps.DaemonSet,
  old: apps.DaemonSet,
  subresource: string,
): FieldErrors =>
  subresource === 'status'
    ? statusCounts.flatMap((field) => validateNonNegative(`status.${field}`, asObject(daemonSet.status)[field]))
    : [...validateImmutableSelector(daemonSet, old), ...validateDaemonSet(daemonSet)];

const statusCounts = [
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
  'observedGeneration',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
  'collisionCount',
] as const;
