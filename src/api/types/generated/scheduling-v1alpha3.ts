// Made of the tables in src/api/release/newest by test/tools/make-kind-types.ts; not to be edited.

import type { ObjectMeta } from '../../../machinery/meta/object.ts';
import type * as metaV1 from './meta-v1.ts';

export type AllCompositeDisruptionMode = Readonly<Record<string, never>>;

export type AllDisruptionMode = Readonly<Record<string, never>>;

export type BasicSchedulingPolicy = Readonly<Record<string, never>>;

export type CompositeBasicSchedulingPolicy = Readonly<Record<string, never>>;

export type CompositeDisruptionMode = {
  readonly single?: SingleCompositeDisruptionMode;
  readonly all?: AllCompositeDisruptionMode;
};

export type CompositeGangSchedulingPolicy = {
  readonly minGroupCount?: number;
};

export type CompositePodGroup = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: CompositePodGroupSpec;
  readonly status?: CompositePodGroupStatus;
};

export type CompositePodGroupList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<CompositePodGroup>[] | null;
};

export type CompositePodGroupSchedulingConstraints = {
  readonly topology?: readonly TopologyConstraint[];
};

export type CompositePodGroupSchedulingPolicy = {
  readonly basic?: CompositeBasicSchedulingPolicy;
  readonly gang?: CompositeGangSchedulingPolicy;
};

export type CompositePodGroupSpec = {
  readonly parentCompositePodGroupName?: string;
  readonly workloadRef?: WorkloadReference | null;
  readonly schedulingPolicy?: CompositePodGroupSchedulingPolicy;
  readonly schedulingConstraints?: CompositePodGroupSchedulingConstraints;
  readonly disruptionMode?: CompositeDisruptionMode;
  readonly priorityClassName?: string;
  readonly priority?: number;
  readonly preemptionPolicy?: string;
};

export type CompositePodGroupStatus = {
  readonly conditions?: readonly metaV1.Condition[];
};

export type CompositePodGroupTemplate = {
  readonly name?: string;
  readonly schedulingPolicy?: CompositePodGroupSchedulingPolicy;
  readonly schedulingConstraints?: CompositePodGroupSchedulingConstraints;
  readonly disruptionMode?: CompositeDisruptionMode;
  readonly priorityClassName?: string;
  readonly priority?: number;
  readonly preemptionPolicy?: string;
  readonly podGroupTemplates?: readonly PodGroupTemplate[];
  readonly compositePodGroupTemplates?: readonly CompositePodGroupTemplate[];
};

export type DisruptionMode = {
  readonly single?: SingleDisruptionMode;
  readonly all?: AllDisruptionMode;
};

export type GangSchedulingPolicy = {
  readonly minCount?: number;
};

export type PodGroup = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: PodGroupSpec;
  readonly status?: PodGroupStatus;
};

export type PodGroupList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<PodGroup>[] | null;
};

export type PodGroupResourceClaim = {
  readonly name?: string;
  readonly resourceClaimName?: string;
  readonly resourceClaimTemplateName?: string;
};

export type PodGroupResourceClaimStatus = {
  readonly name?: string;
  readonly resourceClaimName?: string;
};

export type PodGroupSchedulingConstraints = {
  readonly topology?: readonly TopologyConstraint[];
};

export type PodGroupSchedulingPolicy = {
  readonly basic?: BasicSchedulingPolicy;
  readonly gang?: GangSchedulingPolicy;
};

export type PodGroupSpec = {
  readonly parentCompositePodGroupName?: string;
  readonly workloadRef?: WorkloadReference;
  readonly schedulingPolicy?: PodGroupSchedulingPolicy;
  readonly schedulingConstraints?: PodGroupSchedulingConstraints;
  readonly resourceClaims?: readonly PodGroupResourceClaim[];
  readonly disruptionMode?: DisruptionMode;
  readonly priorityClassName?: string;
  readonly priority?: number;
  readonly preemptionPolicy?: string;
};

export type PodGroupStatus = {
  readonly conditions?: readonly metaV1.Condition[];
  readonly resourceClaimStatuses?: readonly PodGroupResourceClaimStatus[];
};

export type PodGroupTemplate = {
  readonly name?: string;
  readonly schedulingPolicy?: PodGroupSchedulingPolicy;
  readonly schedulingConstraints?: PodGroupSchedulingConstraints | null;
  readonly resourceClaims?: readonly PodGroupResourceClaim[];
  readonly disruptionMode?: DisruptionMode;
  readonly priorityClassName?: string;
  readonly priority?: number;
  readonly preemptionPolicy?: string;
};

export type SingleCompositeDisruptionMode = Readonly<Record<string, never>>;

export type SingleDisruptionMode = Readonly<Record<string, never>>;

export type TopologyConstraint = {
  readonly key?: string;
};

export type TypedLocalObjectReference = {
  readonly apiGroup?: string;
  readonly kind?: string;
  readonly name?: string;
};

export type Workload = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: WorkloadSpec;
};

export type WorkloadList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<Workload>[] | null;
};

export type WorkloadPodGroupAllDisruptionMode = Readonly<Record<string, never>>;

export type WorkloadPodGroupBasicSchedulingPolicy = Readonly<Record<string, never>>;

export type WorkloadPodGroupDisruptionMode = {
  readonly single?: WorkloadPodGroupSingleDisruptionMode;
  readonly all?: WorkloadPodGroupAllDisruptionMode;
};

export type WorkloadPodGroupGangSchedulingPolicy = {
  readonly minCount?: number;
};

export type WorkloadPodGroupResourceClaim = {
  readonly name?: string;
  readonly resourceClaimName?: string;
  readonly resourceClaimTemplateName?: string;
};

export type WorkloadPodGroupSchedulingConstraints = {
  readonly topology?: readonly TopologyConstraint[];
};

export type WorkloadPodGroupSchedulingPolicy = {
  readonly basic?: WorkloadPodGroupBasicSchedulingPolicy;
  readonly gang?: WorkloadPodGroupGangSchedulingPolicy;
};

export type WorkloadPodGroupSingleDisruptionMode = Readonly<Record<string, never>>;

export type WorkloadReference = {
  readonly workloadName?: string;
  readonly templateName?: string;
};

export type WorkloadSpec = {
  readonly controllerRef?: TypedLocalObjectReference;
  readonly podGroupTemplates?: readonly PodGroupTemplate[] | null;
  readonly compositePodGroupTemplates?: readonly CompositePodGroupTemplate[];
};
