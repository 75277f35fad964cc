import { writeJsonForGo } from '../../apimachinery/json-writer.ts';
import { asList, asObject, isJsonObject } from '../../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';
import {
  annotated,
  behaviorFromAnnotation,
  behaviorToAnnotation,
  roundTripKeys,
  withoutRoundTripAnnotations,
} from './autoscaler-annotations.ts';
import * as metrics from './autoscaler-metrics.ts';

/**
 * The autoscaling/v2 form of a v1 HorizontalPodAutoscaler, without kind and apiVersion. Metrics from the annotation come
 * first, the cpu target last. Follows kubernetes pkg/apis/autoscaling/v1/conversion.go.
 */
export function toAutoscalerV2(autoscaler: JsonObject): JsonObject {
  const metadata = asObject(autoscaler['metadata']);
  return present({
    metadata: withoutRoundTripAnnotations(metadata),
    spec: specToV2(asObject(autoscaler['spec']), metadata),
    status: statusToV2(asObject(autoscaler['status']), metadata),
  });
}

function specToV2(spec: JsonObject, metadata: JsonObject): JsonObject {
  const { scaleTargetRef, minReplicas, maxReplicas, targetCPUUtilizationPercentage: target } = spec;
  const others = listOf(annotated(metadata, roundTripKeys.metrics)).map(metrics.metricToV2);
  const all = [...others, ...(target === undefined ? [] : [metrics.cpuMetric(target)])];
  return present({
    scaleTargetRef,
    minReplicas,
    maxReplicas,
    metrics: all.length === 0 ? metrics.defaultMetrics : all,
    behavior: behaviorFromAnnotation(annotated(metadata, roundTripKeys.behavior)),
  });
}

function statusToV2(status: JsonObject, metadata: JsonObject): JsonObject {
  const { observedGeneration, lastScaleTime, currentReplicas, desiredReplicas, currentCPUUtilizationPercentage } =
    status;
  const current = annotated(metadata, roundTripKeys.currentMetrics);
  const conditions = annotated(metadata, roundTripKeys.conditions);
  const cpu = currentCPUUtilizationPercentage;
  const ownMetric =
    cpu === undefined ? null : [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: cpu } } }];
  return {
    ...present({ observedGeneration, lastScaleTime, currentReplicas: currentReplicas || undefined }),
    desiredReplicas: desiredReplicas ?? 0,
    currentMetrics: Array.isArray(current) ? listOf(current).map(metrics.metricStatusToV2) : ownMetric,
    ...present({ conditions: listOf(conditions).length > 0 ? conditions : undefined }),
  };
}

/** The autoscaling/v1 form of a v2 HorizontalPodAutoscaler, without kind and apiVersion. */
export function toAutoscalerV1(autoscaler: JsonObject): JsonObject {
  const spec = asObject(autoscaler['spec']);
  const status = asObject(autoscaler['status']);
  return present({
    metadata: metadataToV1(asObject(autoscaler['metadata']), roundTripAnnotations(spec, status)),
    spec: specToV1(spec),
    status: statusToV1(status),
  });
}

function specToV1({ scaleTargetRef, minReplicas, maxReplicas, metrics: all }: JsonObject): JsonObject {
  const target = listOf(all)
    .map(metrics.cpuTarget)
    .find((percentage) => percentage !== undefined);
  return present({ scaleTargetRef, minReplicas, maxReplicas, targetCPUUtilizationPercentage: target });
}

function statusToV1({
  observedGeneration,
  lastScaleTime,
  currentReplicas,
  desiredReplicas,
  currentMetrics,
}: JsonObject) {
  const cpu = listOf(currentMetrics)
    .map(cpuCurrent)
    .findLast((percentage) => percentage !== undefined);
  return present({
    observedGeneration,
    lastScaleTime,
    currentReplicas: currentReplicas ?? 0,
    desiredReplicas: desiredReplicas ?? 0,
    currentCPUUtilizationPercentage: cpu,
  });
}

function cpuCurrent(metric: JsonObject): JsonValue | undefined {
  const { name, current } = asObject(metric['resource']);
  return metric['type'] === 'Resource' && name === 'cpu' ? asObject(current)['averageUtilization'] : undefined;
}

function roundTripAnnotations(spec: JsonObject, status: JsonObject): JsonObject {
  const others = listOf(spec['metrics']).filter((metric) => metrics.cpuTarget(metric) === undefined);
  const current = listOf(status['currentMetrics']);
  const { behavior } = spec;
  const { conditions } = status;
  return {
    ...(others.length === 0 ? {} : { [roundTripKeys.metrics]: writeJsonForGo(others.map(metrics.metricToV1)) }),
    ...(current.length === 0
      ? {}
      : { [roundTripKeys.currentMetrics]: writeJsonForGo(current.map(metrics.metricStatusToV1)) }),
    ...(isJsonObject(behavior) ? { [roundTripKeys.behavior]: writeJsonForGo(behaviorToAnnotation(behavior)) } : {}),
    ...(conditions === undefined || listOf(conditions).length === 0
      ? {}
      : { [roundTripKeys.conditions]: writeJsonForGo(conditions) }),
  };
}

function metadataToV1(metadata: JsonObject, added: JsonObject): JsonObject {
  const cleaned = withoutRoundTripAnnotations(metadata);
  if (Object.keys(added).length === 0) return cleaned;
  const annotations = { ...asObject(cleaned['annotations']), ...added };
  return { ...cleaned, annotations };
}

const listOf = (value: JsonValue | undefined): readonly JsonObject[] => asList(value).map(asObject);

const present = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
