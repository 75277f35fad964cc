// Made of the tables in src/api/release/newest by test/tools/make-kind-types.ts; not to be edited.

import type { ObjectMeta } from '../../../machinery/meta/object.ts';
import type * as metaV1 from './meta-v1.ts';

export type CrossVersionObjectReference = {
  readonly kind?: string;
  readonly name?: string;
  readonly apiVersion?: string;
};

export type HorizontalPodAutoscaler = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: HorizontalPodAutoscalerSpec;
  readonly status?: HorizontalPodAutoscalerStatus;
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
  readonly targetCPUUtilizationPercentage?: number;
};

export type HorizontalPodAutoscalerStatus = {
  readonly observedGeneration?: number | bigint;
  readonly lastScaleTime?: string;
  readonly currentReplicas?: number;
  readonly desiredReplicas?: number;
  readonly currentCPUUtilizationPercentage?: number;
};

export type Scale = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: ScaleSpec;
  readonly status?: ScaleStatus;
};

export type ScaleSpec = {
  readonly replicas?: number;
};

export type ScaleStatus = {
  readonly replicas?: number;
  readonly selector?: string;
};
