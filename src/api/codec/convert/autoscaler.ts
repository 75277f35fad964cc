import { writeJsonForGo } from '../../../machinery/json/json-writer.ts';
import {
  asList,
  asObject,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  withoutUndefined,
} from '../../../machinery/json/json.ts';
import * as metrics from './autoscaler-metrics.ts';
import { dropNil } from './autoscaler-metrics.ts';

export const toAutoscalerV2 = (autoscaler: JsonObject): JsonObject => convertIntoV2(autoscaler, {});

/**
 * Converts into an existing autoscaler of either version, as for a mutating webhook's response: see apiserver
 * pkg/admission/conversion.go.
 */
export function convertAutoscalerV1Into(autoscaler: JsonObject, existing: JsonObject): JsonObject {
  const isV1 = existing['apiVersion'] === 'autoscaling/v1';
  const converted = convertIntoV2(autoscaler, isV1 ? toAutoscalerV2(existing) : existing);
  return isV1 ? toAutoscalerV1(converted) : converted;
}

/**
 * Fields unknown to v1 keep their value in `existing`. Follows kubernetes pkg/apis/autoscaling/v1/conversion.go
 * Convert_v1_HorizontalPodAutoscaler_To_autoscaling_HorizontalPodAutoscaler.
 */
function convertIntoV2(autoscaler: JsonObject, existing: JsonObject): JsonObject {
  const metadata = asObject(autoscaler['metadata']);
  return withoutUndefined({
    metadata: dropRoundTripAnnotations(metadata),
    spec: convertSpecToV2(asObject(autoscaler['spec']), metadata, asObject(existing['spec'])),
    status: convertStatusToV2(asObject(autoscaler['status']), metadata, asObject(existing['status'])),
  });
}

function convertSpecToV2(spec: JsonObject, metadata: JsonObject, existing: JsonObject): JsonObject {
  const { scaleTargetRef, minReplicas, maxReplicas, targetCPUUtilizationPercentage: target } = spec;
  const own = target === undefined ? toObjects(existing['metrics']) : [metrics.createCpuMetric(target)];
  const others = readAnnotatedItems(metadata, roundTripKeys.metrics)?.map(metrics.convertMetricToV2);
  const all = others === undefined ? own : [...others, ...own.map(keepFirst)];
  return withoutUndefined({
    scaleTargetRef,
    minReplicas,
    maxReplicas,
    metrics: all.length === 0 ? metrics.defaultMetrics : all,
    behavior: behaviorFromAnnotation(readAnnotation(metadata, roundTripKeys.behavior)) ?? existing['behavior'],
  });
}

/** Upstream allocates all metrics and fills only the first. */
const keepFirst = (metric: JsonObject, index: number): JsonObject => (index === 0 ? metric : { type: '' });

function convertStatusToV2(status: JsonObject, metadata: JsonObject, existing: JsonObject): JsonObject {
  const { observedGeneration, lastScaleTime, currentReplicas, desiredReplicas, currentCPUUtilizationPercentage } =
    status;
  const current = readAnnotatedItems(metadata, roundTripKeys.currentMetrics)?.map(metrics.convertMetricStatusToV2);
  const conditions = readAnnotatedItems(metadata, roundTripKeys.conditions) ?? toObjects(existing['conditions']);
  const cpu = currentCPUUtilizationPercentage;
  const ownMetrics =
    cpu === undefined
      ? (existing['currentMetrics'] ?? null)
      : [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: cpu } } }];
  return {
    ...withoutUndefined({ observedGeneration, lastScaleTime, currentReplicas: currentReplicas || undefined }),
    desiredReplicas: desiredReplicas ?? 0,
    currentMetrics: current ?? ownMetrics,
    ...withoutUndefined({ conditions: conditions.length > 0 ? conditions : undefined }),
  };
}

export function toAutoscalerV1(autoscaler: JsonObject): JsonObject {
  const spec = asObject(autoscaler['spec']);
  const status = asObject(autoscaler['status']);
  return withoutUndefined({
    metadata: convertMetadataToV1(asObject(autoscaler['metadata']), createRoundTripAnnotations(spec, status)),
    spec: convertSpecToV1(spec),
    status: convertStatusToV1(status),
  });
}

function convertSpecToV1({ scaleTargetRef, minReplicas, maxReplicas, metrics: all }: JsonObject): JsonObject {
  const target = toObjects(all)
    .map(metrics.cpuTargetUtilization)
    .find((percentage) => percentage !== undefined);
  return withoutUndefined({ scaleTargetRef, minReplicas, maxReplicas, targetCPUUtilizationPercentage: target });
}

function convertStatusToV1({
  observedGeneration,
  lastScaleTime,
  currentReplicas,
  desiredReplicas,
  currentMetrics,
}: JsonObject) {
  const cpu = toObjects(currentMetrics)
    .map(currentCpuUtilization)
    .findLast((percentage) => percentage !== undefined);
  return withoutUndefined({
    observedGeneration,
    lastScaleTime,
    currentReplicas: currentReplicas ?? 0,
    desiredReplicas: desiredReplicas ?? 0,
    currentCPUUtilizationPercentage: cpu,
  });
}

function currentCpuUtilization(metric: JsonObject): JsonValue | undefined {
  const { name, current } = asObject(metric['resource']);
  return metric['type'] === 'Resource' && name === 'cpu' ? asObject(current)['averageUtilization'] : undefined;
}

function createRoundTripAnnotations(spec: JsonObject, status: JsonObject): JsonObject {
  const others = toObjects(spec['metrics']).filter((metric) => metrics.cpuTargetUtilization(metric) === undefined);
  const current = toObjects(status['currentMetrics']);
  const { behavior } = spec;
  const { conditions } = status;
  return {
    ...(others.length === 0 ? {} : { [roundTripKeys.metrics]: writeJsonForGo(others.map(metrics.convertMetricToV1)) }),
    ...(current.length === 0
      ? {}
      : { [roundTripKeys.currentMetrics]: writeJsonForGo(current.map(metrics.convertMetricStatusToV1)) }),
    ...(isJsonObject(behavior) ? { [roundTripKeys.behavior]: writeJsonForGo(behaviorToAnnotation(behavior)) } : {}),
    ...(conditions === undefined || toObjects(conditions).length === 0
      ? {}
      : { [roundTripKeys.conditions]: writeJsonForGo(conditions) }),
  };
}

function convertMetadataToV1(metadata: JsonObject, added: JsonObject): JsonObject {
  const cleaned = dropRoundTripAnnotations(metadata);
  if (Object.keys(added).length === 0) return cleaned;
  const annotations = { ...asObject(cleaned['annotations']), ...added };
  return { ...cleaned, annotations };
}

/** undefined when absent or not a list of objects. */
function readAnnotatedItems(metadata: JsonObject, key: string): readonly JsonObject[] | undefined {
  const value = readAnnotation(metadata, key);
  if (value === null) return [];
  return Array.isArray(value) && value.every((item) => item === null || isJsonObject(item))
    ? toObjects(value)
    : undefined;
}

const toObjects = (value: JsonValue | undefined): readonly JsonObject[] => asList(value).map(asObject);

/** Annotations of autoscaling/v1 for fields it lacks. Follows kubernetes pkg/apis/autoscaling/annotations.go. */
export const roundTripKeys = {
  metrics: 'autoscaling.alpha.kubernetes.io/metrics',
  behavior: 'autoscaling.alpha.kubernetes.io/behavior',
  currentMetrics: 'autoscaling.alpha.kubernetes.io/current-metrics',
  conditions: 'autoscaling.alpha.kubernetes.io/conditions',
} as const;

const allKeys: readonly string[] = Object.values(roundTripKeys);

/** Follows kubernetes pkg/apis/autoscaling/helpers.go. */
export function dropRoundTripAnnotations(metadata: JsonObject): JsonObject {
  const { annotations, ...others } = metadata;
  if (!isJsonObject(annotations) || !allKeys.some((key) => Object.hasOwn(annotations, key))) return metadata;
  const remaining = Object.entries(annotations).filter(([key]) => !allKeys.includes(key));
  return remaining.length === 0 ? others : { ...metadata, annotations: Object.fromEntries(remaining) };
}

/** undefined when the annotation is absent or not JSON. */
export function readAnnotation(metadata: JsonObject, key: string): JsonValue | undefined {
  const text = asObject(metadata['annotations'])[key];
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Behavior is annotated with the Go names of the internal type. */
export function behaviorToAnnotation(behavior: JsonObject): JsonObject {
  return { ScaleUp: rulesToAnnotation(behavior['scaleUp']), ScaleDown: rulesToAnnotation(behavior['scaleDown']) };
}

function rulesToAnnotation(rules: JsonValue | undefined): JsonValue {
  if (!isJsonObject(rules)) return null;
  const { stabilizationWindowSeconds, selectPolicy, policies, tolerance } = rules;
  return {
    StabilizationWindowSeconds: stabilizationWindowSeconds ?? null,
    SelectPolicy: selectPolicy ?? null,
    Policies: Array.isArray(policies)
      ? asList(policies)
          .map(asObject)
          .map(({ type, value, periodSeconds }) => ({ Type: type, Value: value, PeriodSeconds: periodSeconds }))
      : null,
    Tolerance: tolerance ?? null,
  };
}

/** undefined when empty. Go matches field names in any case. */
export function behaviorFromAnnotation(value: JsonValue | undefined): JsonObject | undefined {
  const { scaleup, scaledown } = lowerCaseFields(value);
  const behavior = dropNil({ scaleUp: rulesFromAnnotation(scaleup), scaleDown: rulesFromAnnotation(scaledown) });
  return Object.keys(behavior).length === 0 ? undefined : behavior;
}

function rulesFromAnnotation(value: JsonValue | undefined): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined;
  const { stabilizationwindowseconds, selectpolicy, policies, tolerance } = lowerCaseFields(value);
  return dropNil({
    stabilizationWindowSeconds: stabilizationwindowseconds,
    selectPolicy: selectpolicy,
    policies: Array.isArray(policies) ? asList(policies).map(policyFromAnnotation) : undefined,
    tolerance,
  });
}

function policyFromAnnotation(policy: JsonValue): JsonObject {
  const { type, value, periodseconds } = lowerCaseFields(policy);
  return { type: type ?? '', value: value ?? 0, periodSeconds: periodseconds ?? 0 };
}

const lowerCaseFields = (value: JsonValue | undefined): JsonObject =>
  Object.fromEntries(Object.entries(asObject(value)).map(([field, inner]) => [field.toLowerCase(), inner]));
