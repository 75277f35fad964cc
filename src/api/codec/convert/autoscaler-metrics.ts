import { asObject, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';

export const defaultMetrics = [cpuMetric(80)] as const;

/** The only metric with a field in autoscaling/v1. */
export function cpuMetric(averageUtilization: JsonValue): JsonObject {
  return { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } };
}

/** undefined for any other metric. */
export function cpuTarget(metric: JsonObject): JsonValue | undefined {
  const { name, target } = asObject(metric['resource']);
  return metric['type'] === 'Resource' && name === 'cpu' ? asObject(target)['averageUtilization'] : undefined;
}

/** The form of the v1 annotation. Follows kubernetes pkg/apis/autoscaling/v1/conversion.go. */
export const metricToV1 = (metric: JsonObject): JsonObject => bySource(metric, specsToV1);

export const metricToV2 = (metric: JsonObject): JsonObject => bySource(metric, specsToV2);

export const metricStatusToV1 = (metric: JsonObject): JsonObject => bySource(metric, statusesToV1);

export const metricStatusToV2 = (metric: JsonObject): JsonObject => bySource(metric, statusesToV2);

type Conversion = (source: JsonObject) => JsonObject;
type BySource = Readonly<Record<string, Conversion>>;

function bySource(metric: JsonObject, conversions: BySource): JsonObject {
  const sources = Object.entries(conversions).map(([field, convert]): [string, JsonValue | undefined] => [
    field,
    metric[field] === undefined || metric[field] === null ? undefined : convert(asObject(metric[field])),
  ]);
  return printed({ type: metric['type'], ...Object.fromEntries(sources) });
}

/** Nil pointers are not printed. */
function printed(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
}

const zero = '0';

const resourceToV1 = ({ name, target }: JsonObject): JsonObject => ({
  name,
  targetAverageUtilization: asObject(target)['averageUtilization'],
  targetAverageValue: asObject(target)['averageValue'],
});

const specsToV1: BySource = {
  object: ({ describedObject, target, metric }) =>
    printed({
      target: describedObject,
      metricName: asObject(metric)['name'],
      targetValue: asObject(target)['value'] ?? zero,
      selector: asObject(metric)['selector'],
      averageValue: asObject(target)['averageValue'],
    }),
  pods: ({ target, metric }) =>
    printed({
      metricName: asObject(metric)['name'],
      targetAverageValue: asObject(target)['averageValue'] ?? zero,
      selector: asObject(metric)['selector'],
    }),
  resource: (source) => printed(resourceToV1(source)),
  containerResource: (source) => printed({ ...resourceToV1(source), container: source['container'] }),
  external: ({ target, metric }) =>
    printed({
      metricName: asObject(metric)['name'],
      metricSelector: asObject(metric)['selector'],
      targetValue: asObject(target)['value'],
      targetAverageValue: asObject(target)['averageValue'],
    }),
};

const identifier = (name: JsonValue | undefined, selector: JsonValue | undefined): JsonObject =>
  printed({ name, selector });

const resourceTarget = ({ targetAverageUtilization, targetAverageValue }: JsonObject): JsonObject =>
  printed({
    type: targetAverageUtilization === undefined ? 'AverageValue' : 'Utilization',
    averageValue: targetAverageValue,
    averageUtilization: targetAverageUtilization,
  });

const specsToV2: BySource = {
  object: ({ target, metricName, targetValue, selector, averageValue }) => ({
    describedObject: target,
    target: printed({
      type: averageValue === undefined ? 'Value' : 'AverageValue',
      value: targetValue ?? zero,
      averageValue,
    }),
    metric: identifier(metricName, selector),
  }),
  pods: ({ metricName, targetAverageValue, selector }) => ({
    metric: identifier(metricName, selector),
    target: { type: 'AverageValue', averageValue: targetAverageValue ?? zero },
  }),
  resource: (source) => ({ name: source['name'], target: resourceTarget(source) }),
  containerResource: (source) =>
    printed({ name: source['name'], target: resourceTarget(source), container: source['container'] }),
  external: ({ metricName, metricSelector, targetValue, targetAverageValue }) => ({
    metric: identifier(metricName, metricSelector),
    target: printed({
      type: targetValue === undefined ? 'AverageValue' : 'Value',
      value: targetValue,
      averageValue: targetAverageValue,
    }),
  }),
};

const resourceStatusToV1 = ({ name, current }: JsonObject): JsonObject => ({
  name,
  currentAverageUtilization: asObject(current)['averageUtilization'],
  currentAverageValue: asObject(current)['averageValue'] ?? zero,
});

const statusesToV1: BySource = {
  object: ({ describedObject, current, metric }) =>
    printed({
      target: describedObject,
      metricName: asObject(metric)['name'],
      currentValue: asObject(current)['value'] ?? zero,
      selector: asObject(metric)['selector'],
      averageValue: asObject(current)['averageValue'],
    }),
  pods: ({ current, metric }) =>
    printed({
      metricName: asObject(metric)['name'],
      currentAverageValue: asObject(current)['averageValue'] ?? zero,
      selector: asObject(metric)['selector'],
    }),
  resource: (source) => printed(resourceStatusToV1(source)),
  containerResource: (source) => printed({ ...resourceStatusToV1(source), container: source['container'] }),
  external: ({ current, metric }) =>
    printed({
      metricName: asObject(metric)['name'],
      metricSelector: asObject(metric)['selector'],
      currentValue: asObject(current)['value'] ?? zero,
      currentAverageValue: asObject(current)['averageValue'],
    }),
};

const resourceCurrent = ({ currentAverageUtilization, currentAverageValue }: JsonObject): JsonObject =>
  printed({ averageValue: currentAverageValue ?? zero, averageUtilization: currentAverageUtilization });

const statusesToV2: BySource = {
  object: ({ target, metricName, currentValue, selector, averageValue }) => ({
    metric: identifier(metricName, selector),
    current: printed({ value: currentValue ?? zero, averageValue }),
    describedObject: target,
  }),
  pods: ({ metricName, currentAverageValue, selector }) => ({
    metric: identifier(metricName, selector),
    current: { averageValue: currentAverageValue ?? zero },
  }),
  resource: (source) => ({ name: source['name'], current: resourceCurrent(source) }),
  containerResource: (source) =>
    printed({ name: source['name'], current: resourceCurrent(source), container: source['container'] }),
  external: ({ metricName, metricSelector, currentValue, currentAverageValue }) => ({
    metric: identifier(metricName, metricSelector),
    current: printed({ value: currentValue ?? zero, averageValue: currentAverageValue }),
  }),
};
