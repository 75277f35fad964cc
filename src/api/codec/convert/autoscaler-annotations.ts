import { asList, asObject, isJsonObject, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';

/** Annotations of autoscaling/v1 for fields it lacks. Follows kubernetes pkg/apis/autoscaling/annotations.go. */
export const roundTripKeys = {
  metrics: 'autoscaling.alpha.kubernetes.io/metrics',
  behavior: 'autoscaling.alpha.kubernetes.io/behavior',
  currentMetrics: 'autoscaling.alpha.kubernetes.io/current-metrics',
  conditions: 'autoscaling.alpha.kubernetes.io/conditions',
} as const;

const allKeys: readonly string[] = Object.values(roundTripKeys);

/** Follows kubernetes pkg/apis/autoscaling/helpers.go. */
export function withoutRoundTripAnnotations(metadata: JsonObject): JsonObject {
  const { annotations, ...others } = metadata;
  if (!isJsonObject(annotations) || !allKeys.some((key) => Object.hasOwn(annotations, key))) return metadata;
  const kept = Object.entries(annotations).filter(([key]) => !allKeys.includes(key));
  return kept.length === 0 ? others : { ...metadata, annotations: Object.fromEntries(kept) };
}

/** undefined when the annotation is absent or not JSON. */
export function annotated(metadata: JsonObject, key: string): JsonValue | undefined {
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
  const { scaleup, scaledown } = lowerCased(value);
  const behavior = present({ scaleUp: rulesFromAnnotation(scaleup), scaleDown: rulesFromAnnotation(scaledown) });
  return Object.keys(behavior).length === 0 ? undefined : behavior;
}

function rulesFromAnnotation(value: JsonValue | undefined): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined;
  const { stabilizationwindowseconds, selectpolicy, policies, tolerance } = lowerCased(value);
  return present({
    stabilizationWindowSeconds: stabilizationwindowseconds,
    selectPolicy: selectpolicy,
    policies: Array.isArray(policies) ? asList(policies).map(policyFromAnnotation) : undefined,
    tolerance,
  });
}

function policyFromAnnotation(policy: JsonValue): JsonObject {
  const { type, value, periodseconds } = lowerCased(policy);
  return { type: type ?? '', value: value ?? 0, periodSeconds: periodseconds ?? 0 };
}

const lowerCased = (value: JsonValue | undefined): JsonObject =>
  Object.fromEntries(Object.entries(asObject(value)).map(([field, inner]) => [field.toLowerCase(), inner]));

/** Nil pointers are not printed. */
export const present = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
