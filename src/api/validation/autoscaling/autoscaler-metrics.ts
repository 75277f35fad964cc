import { validateRequiredText, errorIf, type FieldErrors } from '../field-rules.ts';
import { forbiddenField, invalidValue, notSupported, required } from '../../../machinery/meta/field-error.ts';
import { asObject, asString, type JsonValue } from '../../../machinery/json/json.ts';
import { dns1123Label, pathSegmentName } from '../../../machinery/meta/names.ts';
import { parseAmount } from '../meta/quantity-amount.ts';
import { ownValue } from '../../../machinery/meta/object.ts';
import type * as autoscaling from '../../types/generated/autoscaling-v2.ts';

const sourceTypes = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];

/** In upstream's order; only the first source present is checked. */
const sources: Readonly<Record<string, { readonly field: keyof autoscaling.MetricSpec; readonly check: SourceCheck }>> =
  {
    Object: { field: 'object', check: ({ object }, path) => validateObjectSource(asObject(object), path) },
    External: { field: 'external', check: ({ external }, path) => validateExternalSource(asObject(external), path) },
    Pods: { field: 'pods', check: ({ pods }, path) => validatePodsSource(asObject(pods), path) },
    Resource: { field: 'resource', check: ({ resource }, path) => validateResourceSource(asObject(resource), path) },
    ContainerResource: {
      field: 'containerResource',
      check: ({ containerResource }, path) => validateContainerResourceSource(asObject(containerResource), path),
    },
  };

type SourceCheck = (metric: autoscaling.MetricSpec, path: string) => FieldErrors;

type Targeted = { readonly target?: autoscaling.MetricTarget };

/** Follows kubernetes pkg/apis/autoscaling/validation validateMetricSpec. */
export function validateMetricSpec(metric: autoscaling.MetricSpec, path: string): FieldErrors {
  const type = asString(metric.type);
  const expected = ownValue(sources, type);
  const present = Object.values(sources).filter(({ field }) => metric[field] !== undefined);
  const [first] = present;
  const unknown = errorIf(!expected, () => notSupported(`${path}.type`, type, sourceTypes));
  return [
    ...errorIf(type === '', () => required(`${path}.type`, 'must specify a metric source type')),
    ...unknown,
    ...(first ? first.check(metric, `${path}.${first.field}`) : []),
    ...errorIf(expected !== undefined && metric[expected.field] === undefined, () =>
      required(`${path}.${expected?.field ?? ''}`, 'must populate information for the given metric source'),
    ),
    ...unknown,
    ...present
      .filter(({ field }) => present.length > 1 && field !== expected?.field)
      .map(({ field }) => forbiddenField(`${path}.${field}`, 'must populate the given metric source only')),
  ];
}

/** Follows ValidateCrossVersionObjectReference. */
export const validateCrossVersionObjectReference = (
  reference: autoscaling.CrossVersionObjectReference,
  path: string,
): FieldErrors => [
  ...validateName(reference.kind, `${path}.kind`, ''),
  ...validateName(reference.name, `${path}.name`, ''),
];

function validateName(value: JsonValue | undefined, path: string, detail: string): FieldErrors {
  return validateRequiredText(pathSegmentName, path, value, detail);
}

const validateMetricIdentifier = (
  source: { readonly metric?: autoscaling.MetricIdentifier },
  path: string,
): FieldErrors => validateName(asObject(source.metric).name, `${path}.metric.name`, 'must specify a metric name');

function validateObjectSource(source: autoscaling.ObjectMetricSource, path: string): FieldErrors {
  const { value, averageValue } = asObject(source.target);
  return [
    ...validateCrossVersionObjectReference(asObject(source.describedObject), `${path}.describedObject`),
    ...validateMetricIdentifier(source, path),
    ...validateMetricTarget(source, path),
    ...errorIf(value === undefined && averageValue === undefined, () =>
      required(`${path}.target.averageValue`, 'must set either a target value or averageValue'),
    ),
  ];
}

function validateExternalSource(source: autoscaling.ExternalMetricSource, path: string): FieldErrors {
  const { value, averageValue } = asObject(source.target);
  return [
    ...validateMetricIdentifier(source, path),
    ...validateMetricTarget(source, path),
    ...errorIf(value === undefined && averageValue === undefined, () =>
      required(`${path}.target.averageValue`, 'must set either a target value for metric or a per-pod target'),
    ),
    ...errorIf(value !== undefined && averageValue !== undefined, () =>
      forbiddenField(`${path}.target.value`, 'may not set both a target value for metric and a per-pod target'),
    ),
  ];
}

function validatePodsSource(source: autoscaling.PodsMetricSource, path: string): FieldErrors {
  return [
    ...validateMetricIdentifier(source, path),
    ...validateMetricTarget(source, path),
    ...errorIf(asObject(source.target).averageValue === undefined, () =>
      required(`${path}.target.averageValue`, 'must specify a positive target averageValue'),
    ),
  ];
}

function validateContainerResourceSource(source: autoscaling.ContainerResourceMetricSource, path: string): FieldErrors {
  return [
    ...errorIf(asString(source.name) === '', () => required(`${path}.name`, 'must specify a resource name')),
    ...validateRequiredText(dns1123Label, `${path}.container`, source.container, 'must specify a container'),
    ...validateResourceTarget(source, path),
  ];
}

function validateResourceSource(source: autoscaling.ResourceMetricSource, path: string): FieldErrors {
  return [
    ...errorIf(asString(source.name) === '', () => required(`${path}.name`, 'must specify a resource name')),
    ...validateResourceTarget(source, path),
  ];
}

function validateResourceTarget(source: Targeted, path: string): FieldErrors {
  const { averageUtilization, averageValue } = asObject(source.target);
  return [
    ...validateMetricTarget(source, path),
    ...errorIf(averageUtilization === undefined && averageValue === undefined, () =>
      required(`${path}.target.averageUtilization`, 'must set either a target raw value or a target utilization'),
    ),
    ...errorIf(averageUtilization !== undefined && averageValue !== undefined, () =>
      forbiddenField(`${path}.target.averageValue`, 'may not set both a target raw value and a target utilization'),
    ),
  ];
}

/** Follows validateMetricTarget. */
function validateMetricTarget(source: Targeted, parent: string): FieldErrors {
  const target = asObject(source.target);
  const path = `${parent}.target`;
  const [type, utilization] = [asString(target.type), target.averageUtilization];
  return [
    ...errorIf(type === '', () => required(`${path}.type`, 'must specify a metric target type')),
    ...errorIf(!['Utilization', 'Value', 'AverageValue'].includes(type), () =>
      invalidValue(`${path}.type`, type, 'must be either Utilization, Value, or AverageValue'),
    ),
    ...(['value', 'averageValue'] as const).flatMap((field) => {
      const amount = target[field];
      return errorIf(amount !== undefined && parseAmount(amount) <= 0n, () =>
        invalidValue(`${path}.${field}`, amount ?? null, 'must be positive'),
      );
    }),
    ...errorIf(utilization !== undefined && Number(utilization) < 1, () =>
      invalidValue(`${path}.averageUtilization`, utilization ?? 0, 'must be greater than 0'),
    ),
  ];
}
