import { validateNonNegative, specOf, errorIf, type FieldErrors } from '../field-rules.ts';
import { forbiddenField, invalidValue, notSupported, required } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { parseInt64 } from '../../../machinery/go/strconv.ts';
import { readLabelSelector } from '../../../machinery/selectors/label-selector.ts';
import type * as apps from '../../types/generated/apps-v1.ts';
import type { LabelSelector } from '../../types/generated/meta-v1.ts';
import type { ReplicationController } from '../../types/generated/core-v1.ts';
import { newInvalidSelector, validateLabelSelector } from '../meta/labels.ts';
import { validateImmutableField } from '../meta/object-meta.ts';
import { validateSelectedTemplate } from '../core/pod-template.ts';

export const isEmptySelector = (selector: LabelSelector): boolean =>
  Object.keys(asObject(asObject(selector).matchLabels)).length === 0 &&
  asList(asObject(selector).matchExpressions).length === 0;

/** Follows kubernetes pkg/apis/apps/validation ValidateDeploymentSpec. */
export function validateDeployment(deployment: apps.Deployment): FieldErrors {
  const spec = specOf(deployment);
  const { progressDeadlineSeconds } = spec;
  return [
    ...validateNonNegative('spec.replicas', spec.replicas),
    ...validateSelector(spec, 'deployment'),
    ...validateTemplate(spec),
    ...validateDeploymentStrategy(asObject(spec.strategy), 'spec.strategy', ['Recreate', 'RollingUpdate']),
    ...validateNonNegative('spec.minReadySeconds', spec.minReadySeconds),
    ...validateNonNegative('spec.revisionHistoryLimit', spec.revisionHistoryLimit),
    ...validateNonNegative('spec.progressDeadlineSeconds', progressDeadlineSeconds),
    ...errorIf(
      progressDeadlineSeconds !== undefined && Number(progressDeadlineSeconds) <= Number(spec.minReadySeconds ?? 0),
      () =>
        invalidValue(
          'spec.progressDeadlineSeconds',
          progressDeadlineSeconds ?? 0,
          'must be greater than minReadySeconds',
        ),
    ),
  ];
}

function validateSelector(spec: { readonly selector?: LabelSelector | null }, owner: string): FieldErrors {
  const { selector } = spec;
  if (selector === undefined || selector === null) return [required('spec.selector', '')];
  return [
    ...validateLabelSelector(selector, 'spec.selector'),
    ...errorIf(isEmptySelector(selector), () =>
      newInvalidSelector('spec.selector', selector, `empty selector is invalid for ${owner}`),
    ),
    ...validateSelectorSyntax(selector, 'invalid label selector'),
  ];
}

/** The template is not validated when the selector is invalid. */
const validateTemplate = (spec: apps.DeploymentSpec | apps.ReplicaSetSpec): FieldErrors =>
  isValidSelector(spec.selector) ? validateSelectedTemplate(spec, spec.selector, 'ReplicaSet') : [];

/** A missing selector selects nothing. */
export const isValidSelector = (selector: LabelSelector | null | undefined): boolean =>
  readLabelSelector(selector).outcome === 'selector';

export const validateSelectorSyntax = (selector: LabelSelector, detail: string): FieldErrors =>
  errorIf(!isValidSelector(selector), () => newInvalidSelector('spec.selector', selector, detail));

/** Follows kubernetes pkg/apis/apps/validation ValidateDeploymentStrategy. */
function validateDeploymentStrategy(
  strategy: apps.DeploymentStrategy,
  path: string,
  types: readonly string[],
): FieldErrors {
  const { type, rollingUpdate } = strategy;
  if (type === 'Recreate') {
    return errorIf(rollingUpdate !== undefined, () =>
      forbiddenField(`${path}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'"),
    );
  }
  if (type !== 'RollingUpdate') return [notSupported(path, formatStrategy(strategy), types)];
  if (rollingUpdate === undefined)
    return [required(`${path}.rollingUpdate`, 'this should be defaulted and never be nil')];
  return validateRollingUpdate(asObject(rollingUpdate), `${path}.rollingUpdate`);
}

/** Upstream prints the internal struct, without JSON names. */
export const formatStrategy = (strategy: apps.DaemonSetUpdateStrategy): JsonObject => ({
  Type: asString(strategy.type),
  RollingUpdate:
    strategy.rollingUpdate === undefined || strategy.rollingUpdate === null
      ? null
      : { MaxUnavailable: strategy.rollingUpdate.maxUnavailable ?? 0, MaxSurge: strategy.rollingUpdate.maxSurge ?? 0 },
});

function validateRollingUpdate(
  { maxUnavailable = 0, maxSurge = 0 }: apps.RollingUpdateDeployment,
  path: string,
): FieldErrors {
  const bothZero = isZero(maxUnavailable) && isZero(maxSurge);
  return [
    ...validatePositiveIntOrPercent(`${path}.maxUnavailable`, maxUnavailable),
    ...validatePositiveIntOrPercent(`${path}.maxSurge`, maxSurge),
    ...errorIf(bothZero, () =>
      invalidValue(`${path}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0'),
    ),
    ...validateNotMoreThan100Percent(`${path}.maxUnavailable`, maxUnavailable),
  ];
}

const parsePercent = (value: JsonValue | undefined): number => {
  const [, digits] = /^(\d+)%$/.exec(typeof value === 'string' ? value : '') ?? [];
  return digits === undefined ? 0 : Number(digits);
};

/** Follows kubernetes pkg/apis/apps/validation IsNotMoreThan100Percent. */
export const validateNotMoreThan100Percent = (field: string, value: JsonValue | undefined): FieldErrors =>
  errorIf(parsePercent(value) > 100, () => invalidValue(field, value ?? 0, 'must not be greater than 100%'));

/** Invalid text counts as zero. Follows kubernetes pkg/apis/apps/validation getIntOrPercentValue. */
export function isZero(value: JsonValue): boolean {
  if (typeof value !== 'string') return value === 0;
  const number = parseInt64(isPercent(value) ? value.slice(0, -1) : value);
  return number.outcome === 'unparsable' || number.value === 0;
}

const isPercent = (value: string): boolean => /^[0-9]+%$/.test(value);

/** Follows kubernetes pkg/apis/apps/validation ValidatePositiveIntOrPercent. */
export function validatePositiveIntOrPercent(field: string, value: JsonValue | undefined): FieldErrors {
  if (typeof value !== 'string') return validateNonNegative(field, value);
  const text =
    "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";
  return errorIf(!isPercent(value), () => invalidValue(field, value, text));
}

/** Follows kubernetes pkg/registry/apps/deployment/strategy.go ValidateUpdate. */
export function validateDeploymentUpdate(
  deployment: apps.Deployment,
  old: apps.Deployment,
  subresource: string,
): FieldErrors {
  if (subresource === 'status') return validateDeploymentStatus(deployment, old);
  return [...validateDeployment(deployment), ...validateImmutableSelector(deployment, old)];
}

type Selecting = { readonly spec?: { readonly selector?: LabelSelector | { readonly [key: string]: string } | null } };

export const validateImmutableSelector = (object: Selecting, old: Selecting): FieldErrors =>
  validateImmutableField('spec.selector', specOf(object).selector, specOf(old).selector);

const statusFields = [
  'observedGeneration',
  'replicas',
  'updatedReplicas',
  'readyReplicas',
  'availableReplicas',
  'unavailableReplicas',
  'collisionCount',
] as const;

/** Follows kubernetes pkg/apis/apps/validation ValidateDeploymentStatus. */
function validateDeploymentStatus(object: apps.Deployment, old: apps.Deployment): FieldErrors {
  const status = asObject(object.status);
  const { collisionCount: collisions } = asObject(old.status);
  return [
    ...statusFields.flatMap((field) => validateNonNegative(`status.${field}`, status[field])),
    ...validateNotMoreThan(status, 'updatedReplicas', 'replicas'),
    ...validateNotMoreThan(status, 'readyReplicas', 'replicas'),
    ...validateNotMoreThan(status, 'availableReplicas', 'replicas'),
    ...validateNotMoreThan(status, 'availableReplicas', 'readyReplicas', 'readyReplicas'),
    ...(collisions === undefined ? [] : validateCollisionCount(status.collisionCount, collisions)),
  ];
}

/** Compares two numbers of a status; `name` is how upstream calls the limit. */
export const validateNotMoreThan = <Field extends string>(
  status: { readonly [Name in Field]?: JsonValue },
  field: Field,
  limit: Field,
  name = `status.${limit}`,
): FieldErrors =>
  errorIf(Number(status[field] ?? 0) > Number(status[limit] ?? 0), () =>
    invalidValue(`status.${field}`, Number(status[field] ?? 0), `cannot be greater than ${name}`),
  );

export const validateCollisionCount = (
  collisions: number | null | undefined,
  old: number | null | undefined,
): FieldErrors =>
  errorIf(Number(collisions ?? 0) < Number(old ?? 0), () =>
    invalidValue('status.collisionCount', Number(collisions ?? 0), 'cannot be decremented'),
  );

/** Follows kubernetes pkg/apis/apps/validation ValidateReplicaSetSpec. */
export function validateReplicaSet(replicaSet: apps.ReplicaSet): FieldErrors {
  const spec = specOf(replicaSet);
  return [
    ...validateNonNegative('spec.replicas', spec.replicas),
    ...validateNonNegative('spec.minReadySeconds', spec.minReadySeconds),
    ...validateSelector(spec, 'deployment'),
    ...validateTemplate(spec),
  ];
}

/** Follows kubernetes pkg/apis/core/validation ValidateReplicationControllerSpec. */
export function validateReplicationController(controller: ReplicationController): FieldErrors {
  const spec = specOf(controller);
  const { selector: matchLabels = {} } = spec;
  const isEmpty = Object.keys(matchLabels).length === 0;
  const selector = isEmpty ? undefined : { matchLabels };
  return [
    ...validateNonNegative('spec.minReadySeconds', spec.minReadySeconds),
    ...errorIf(isEmpty, () => required('spec.selector', '')),
    ...validateNonNegative('spec.replicas', spec.replicas),
    ...(spec.template === undefined
      ? [required('spec.template', '')]
      : validateSelectedTemplate(spec, selector, 'ReplicationController')),
  ];
}

/** Strategies that validate twice on update and keep the selector. */
export const createReplicasUpdateValidation =
  <Kind extends apps.ReplicaSet | ReplicationController>(
    validate: (object: Kind) => FieldErrors,
    keepsSelector: boolean,
  ) =>
  (object: Kind, old: Kind, subresource: string): FieldErrors => {
    if (subresource === 'status') return validateReplicaSetStatus(asObject(object.status));
    return [...validate(object), ...(keepsSelector ? validateImmutableSelector(object, old) : [])];
  };

/** Follows kubernetes pkg/apis/apps/validation ValidateReplicaSetStatus. */
function validateReplicaSetStatus(status: apps.ReplicaSetStatus): FieldErrors {
  const fields = ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'] as const;
  return [
    ...([...fields, 'observedGeneration', 'terminatingReplicas'] as const).flatMap((field) =>
      validateNonNegative(`status.${field}`, status[field]),
    ),
    ...fields.slice(1).flatMap((field) => validateNotMoreThan(status, field, 'replicas')),
    ...validateNotMoreThan(status, 'availableReplicas', 'readyReplicas', 'readyReplicas'),
  ];
}
