// Made of the tables in src/api/release/newest by test/tools/make-kind-types.ts; not to be edited.

import type { ObjectMeta } from '../../../machinery/meta/object.ts';
import type * as metaV1 from './meta-v1.ts';

export type ContainerResourceMetricSource = {
  readonly name?: string;
  readonly target?: MetricTarget;
  readonly container?: string;
};

export type ContainerResourceMetricStatus = {
  readonly name?: string;
  readonly current?: MetricValueStatus;
  readonly container?: string;
};

export type CrossVersionObjectReference = {
  readonly kind?: string;
  readonly name?: string;
  readonly apiVersion?: string;
};

export type ExternalMetricSource = {
  readonly metric?: MetricIdentifier;
  readonly target?: MetricTarget;
};

export type ExternalMetricStatus = {
  readonly metric?: MetricIdentifier;
  readonly current?: MetricValueStatus;
};

export type HPAScalingPolicy = {
  readonly type?: string;
  readonly value?: number;
  readonly periodSeconds?: number;
};

export type HPAScalingRules = {
  readonly stabilizationWindowSeconds?: number;
  readonly selectPolicy?: string;
  readonly policies?: readonly HPAScalingPolicy[];
  readonly tolerance?: string;
};

export type HorizontalPodAutoscaler = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: HorizontalPodAutoscalerSpec;
  readonly status?: HorizontalPodAutoscalerStatus;
};

export type HorizontalPodAutoscalerBehavior = {
  readonly scaleUp?: HPAScalingRules;
  readonly scaleDown?: HPAScalingRules;
};

export type HorizontalPodAutoscalerCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
  readonly observedGeneration?: number | bigint;
};

export type HorizontalPodAutoscalerList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<HorizontalPodAutoscaler>[] | null;
};

export type HorizontalPodAutoscalerSpec = {
  readonly scaleTargetRef?: CrossVersionObjectReference;
  readonly minReplicas?: number;
  readonly maxReplicas?: number;
  readonly metrics?: readonly MetricSpec[];
  readonly behavior?: HorizontalPodAutoscalerBehavior;
};

export type HorizontalPodAutoscalerStatus = {
  readonly observedGeneration?: number | bigint;
  readonly lastScaleTime?: string;
  readonly currentReplicas?: number;
  readonly desiredReplicas?: number;
  readonly currentMetrics?: readonly MetricStatus[] | null;
  readonly conditions?: readonly HorizontalPodAutoscalerCondition[];
};

export type MetricIdentifier = {
  readonly name?: string;
  readonly selector?: metaV1.LabelSelector;
};

export type MetricSpec = {
  readonly type?: string;
  readonly object?: ObjectMetricSource;
  readonly pods?: PodsMetricSource;
  readonly resource?: ResourceMetricSource;
  readonly containerResource?: ContainerResourceMetricSource;
  readonly external?: ExternalMetricSource;
};

export type MetricStatus = {
  readonly type?: string;
  readonly object?: ObjectMetricStatus;
  readonly pods?: PodsMetricStatus;
  readonly resource?: ResourceMetricStatus;
  readonly containerResource?: ContainerResourceMetricStatus;
  readonly external?: ExternalMetricStatus;
};

export type MetricTarget = {
  readonly type?: string;
  readonly value?: string;
  readonly averageValue?: string;
  readonly averageUtilization?: number;
};

export type MetricValueStatus = {
  readonly value?: string;
  readonly averageValue?: string;
  readonly averageUtilization?: number;
};

export type ObjectMetricSource = {
  readonly describedObject?: CrossVersionObjectReference;
  readonly target?: MetricTarget;
  readonly metric?: MetricIdentifier;
};

export type ObjectMetricStatus = {
  readonly metric?: MetricIdentifier;
  readonly current?: MetricValueStatus;
  readonly describedObject?: CrossVersionObjectReference;
};

export type PodsMetricSource = {
  readonly metric?: MetricIdentifier;
  readonly target?: MetricTarget;
};

export type PodsMetricStatus = {
  readonly metric?: MetricIdentifier;
  readonly current?: MetricValueStatus;
};

export type ResourceMetricSource = {
  readonly name?: string;
  readonly target?: MetricTarget;
};

export type ResourceMetricStatus = {
  readonly name?: string;
  readonly current?: MetricValueStatus;
};
