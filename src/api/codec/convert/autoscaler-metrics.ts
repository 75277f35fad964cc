import { asObject, type JsonObject, type JsonValue, valueAt, withValue } from '../../../machinery/json/json.ts';

export const defaultMetrics = [createCpuMetric(80)] as const;

/** The only metric with a field in autoscaling/v1. */
export function createCpuMetric(averageUtilization: JsonValue): JsonObject {
  return { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } };
}

/** undefined for any other metric. */
export function cpuTargetUtilization(metric: JsonObject): JsonValue | undefined {
  const { name, target } = asObject(metric['resource']);
  return metric['type'] === 'Resource' && name === 'cpu' ? asObject(target)['averageUtilization'] : undefined;
}

/** A field of the annotation, its place in v2, and the value of an absent one. */
type MetricField = readonly [v1: string, v2: string, absent?: string];
type FieldsOfSource = Readonly<Record<string, readonly MetricField[]>>;

const resourceTarget: readonly MetricField[] = [
  ['name', 'name'],
  ['targetAverageUtilization', 'target.averageUtilization'],
  ['targetAverageValue', 'target.averageValue'],
];

const specFields: FieldsOfSource = {
  object: [
    ['target', 'describedObject'],
    ['metricName', 'metric.name'],
    ['targetValue', 'target.value', '0'],
    ['selector', 'metric.selector'],
    ['averageValue', 'target.averageValue'],
  ],
  pods: [
    ['metricName', 'metric.name'],
    ['targetAverageValue', 'target.averageValue', '0'],
    ['selector', 'metric.selector'],
  ],
  resource: resourceTarget,
  containerResource: [...resourceTarget, ['container', 'container']],
  external: [
    ['metricName', 'metric.name'],
    ['metricSelector', 'metric.selector'],
    ['targetValue', 'target.value'],
    ['targetAverageValue', 'target.averageValue'],
  ],
};

const resourceCurrent: readonly MetricField[] = [
  ['name', 'name'],
  ['currentAverageUtilization', 'current.averageUtilization'],
  ['currentAverageValue', 'current.averageValue', '0'],
];

const statusFields: FieldsOfSource = {
  object: [
    ['target', 'describedObject'],
    ['metricName', 'metric.name'],
    ['currentValue', 'current.value', '0'],
    ['selector', 'metric.selector'],
    ['averageValue', 'current.averageValue'],
  ],
  pods: [
    ['metricName', 'metric.name'],
    ['currentAverageValue', 'current.averageValue', '0'],
    ['selector', 'metric.selector'],
  ],
  resource: resourceCurrent,
  containerResource: [...resourceCurrent, ['container', 'container']],
  external: [
    ['metricName', 'metric.name'],
    ['metricSelector', 'metric.selector'],
    ['currentValue', 'current.value', '0'],
    ['currentAverageValue', 'current.averageValue'],
  ],
};

/** The form of the v1 annotation. Follows kubernetes pkg/apis/autoscaling/v1/conversion.go. */
export const convertMetricToV1 = (metric: JsonObject): JsonObject =>
  convertSources(metric, specFields, convertFieldsToV1);

export const convertMetricToV2 = (metric: JsonObject): JsonObject =>
  convertSources(metric, specFields, (source, fields, name) =>
    withValue(convertFieldsToV2(source, fields, name), ['target', 'type'], inferTargetType(source, name)),
  );

export const convertMetricStatusToV1 = (metric: JsonObject): JsonObject =>
  convertSources(metric, statusFields, convertFieldsToV1);

export const convertMetricStatusToV2 = (metric: JsonObject): JsonObject =>
  convertSources(metric, statusFields, convertFieldsToV2);

type Conversion = (source: JsonObject, fields: readonly MetricField[], name: string) => JsonObject;

function convertSources(metric: JsonObject, fieldsOfSource: FieldsOfSource, convert: Conversion): JsonObject {
  const sources = Object.entries(fieldsOfSource).map(([name, fields]): [string, JsonValue | undefined] => [
    name,
    metric[name] === undefined || metric[name] === null ? undefined : convert(asObject(metric[name]), fields, name),
  ]);
  return dropNil({ type: metric['type'], ...Object.fromEntries(sources) });
}

const convertFieldsToV1: Conversion = (source, fields) =>
  dropNil(Object.fromEntries(fields.map(([v1, v2, absent]) => [v1, valueAt(source, ...v2.split('.')) ?? absent])));

const convertFieldsToV2: Conversion = (source, fields) =>
  fields.reduce<JsonObject>((metric, [v1, v2, absent]) => withValue(metric, v2.split('.'), source[v1] ?? absent), {});

function inferTargetType(source: JsonObject, name: string): string {
  if (name === 'object') return source['averageValue'] === undefined ? 'Value' : 'AverageValue';
  if (name === 'external') return source['targetValue'] === undefined ? 'AverageValue' : 'Value';
  return name === 'pods' || source['targetAverageUtilization'] === undefined ? 'AverageValue' : 'Utilization';
}

/** Nil pointers are not printed. */
export const dropNil = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
