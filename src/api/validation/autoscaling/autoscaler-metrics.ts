import { requiredTextErrors, errorIf, type FieldErrors } from '../field-rules.ts';
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
    Object: { field: 'object', check: ({ object }, path) => objectSourceErrors(asObject(object), path) },
    External: { field: 'external', check: ({ external }, path) => externalSourceErrors(asObject(external), path) },
    Pods: { field: 'pods', check: ({ pods }, path) => podsSourceErrors(asObject(pods), path) },
    Resource: { field: 'resource', check: ({ resource }, path) => resourceSourceErrors(asObject(resource), path) },
    ContainerResource: {
      field: 'containerResource',
      check: ({ containerResource }, path) => containerSourceErrors(asObject(containerResource), path),
    },
  };

type SourceCheck = (metric: autoscaling.MetricSpec, path: string) => FieldErrors;

type Targeted = { readonly target?: autoscaling.MetricTarget };

/** Follows kubernetes pkg/apis/autoscaling/validation validateMetricSpec. */
export function metricErrors(metric: autoscaling.MetricSpec, path: string): FieldErrors {
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
export const scaleTargetErrors = (reference: autoscaling.CrossVersionObjectReference, path: string): FieldErrors => [
  ...nameErrors(reference.kind, `${path}.kind`, ''),
  ...nameErrors(reference.name, `${path}.name`, ''),
];

function nameErrors(value: JsonValue | undefined, path: string, detail: string): FieldErrors {
  return requiredTextErrors(pathSegmentName, path, value, detail);
}

const metricNameErrors = (source: { readonly metric?: autoscaling.MetricIdentifier }, path: string): FieldErrors =>
  nameErrors(asObject(source.metric).name, `${path}.metric.name`, 'must specify a metric name');

function objectSourceErrors(source: autoscaling.ObjectMetricSource, path: string): FieldErrors {
  const { value, averageValue } = asObject(source.target);
  return [
    ...scaleTargetErrors(asObject(source.describedObject), `${path}.describedObject`),
    ...metricNameErrors(source, path),
    ...targetErrors(source, path),
    ...errorIf(value === undefined && averageValue === undefined, () =>
      required(`${path}.target.averageValue`, 'must set either a target value or averageValue'),
    ),
  ];
}

function externalSourceErrors(source: autoscaling.ExternalMetricSource, path: string): FieldErrors {
  const { value, averageValue } = asObject(source.target);
  return [
    ...metricNameErrors(source, path),
    ...targetErrors(source, path),
    ...errorIf(value === undefined && averageValue === undefined, () =>
      required(`${path}.target.averageValue`, 'must set either a target value for metric or a per-pod target'),
    ),
    ...errorIf(value !== undefined && averageValue !== undefined, () =>
      forbiddenField(`${path}.target.value`, 'may not set both a target value for metric and a per-pod target'),
    ),
  ];
}

function podsSourceErrors(source: autoscaling.PodsMetricSource, path: string): FieldErrors {
  return [
    ...metricNameErrors(source, path),
    ...targetErrors(source, path),
    ...errorIf(asObject(source.target).averageValue === undefined, () =>
      required(`${path}.target.averageValue`, 'must specify a positive target averageValue'),
    ),
  ];
}

function containerSourceErrors(source: autoscaling.ContainerResourceMetricSource, path: string): FieldErrors {
  return [
    ...errorIf(asString(source.name) === '', () => required(`${path}.name`, 'must specify a resource name')),
    ...requiredTextErrors(dns1123Label, `${path}.container`, source.container, 'must specify a container'),
    ...usageErrors(source, path),
  ];
}

function resourceSourceErrors(source: autoscaling.ResourceMetricSource, path: string): FieldErrors {
  return [
    ...errorIf(asString(source.name) === '', () => required(`${path}.name`, 'must specify a resource name')),
    ...usageErrors(source, path),
  ];
}

function usageErrors(source: Targeted, path: string): FieldErrors {
  const { averageUtilization, averageValue } = asObject(source.target);
  return [
    ...targetErrors(source, path),
    ...errorIf(averageUtilization === undefined && averageValue === undefined, () =>
      required(`${path}.target.averageUtilization`, 'must set either a target raw value or a target utilization'),
    ),
    ...errorIf(averageUtilization !== undefined && averageValue !== undefined, () =>
      forbiddenField(`${path}.target.averageValue`, 'may not set both a target raw value and a target utilization'),
    ),
  ];
}

/** Follows validateMetricTarget. */
function targetErrors(source: Targeted, parent: string): FieldErrors {
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
