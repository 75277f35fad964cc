// Made of the tables in src/api/release/newest by test/tools/make-kind-types.ts; not to be edited.

import type { ObjectMeta } from '../../../machinery/meta/object.ts';
import type * as coreV1 from './core-v1.ts';
import type * as metaV1 from './meta-v1.ts';
import type * as schedulingV1alpha3 from './scheduling-v1alpha3.ts';

export type CronJob = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: CronJobSpec;
  readonly status?: CronJobStatus;
};

export type CronJobList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<CronJob>[] | null;
};

export type CronJobSpec = {
  readonly schedule?: string;
  readonly timeZone?: string;
  readonly startingDeadlineSeconds?: number | bigint;
  readonly concurrencyPolicy?: string;
  readonly suspend?: boolean;
  readonly jobTemplate?: JobTemplateSpec;
  readonly successfulJobsHistoryLimit?: number;
  readonly failedJobsHistoryLimit?: number;
};

export type CronJobStatus = {
  readonly active?: readonly coreV1.ObjectReference[];
  readonly lastScheduleTime?: string;
  readonly lastSuccessfulTime?: string;
};

export type Job = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: JobSpec;
  readonly status?: JobStatus;
};

export type JobCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly lastProbeTime?: string | null;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
};

export type JobList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<Job>[] | null;
};

export type JobSchedulingConfiguration = {
  readonly schedulingPolicy?: schedulingV1alpha3.WorkloadPodGroupSchedulingPolicy;
  readonly schedulingConstraints?: schedulingV1alpha3.WorkloadPodGroupSchedulingConstraints;
  readonly disruptionMode?: schedulingV1alpha3.WorkloadPodGroupDisruptionMode;
  readonly resourceClaims?: readonly schedulingV1alpha3.WorkloadPodGroupResourceClaim[];
};

export type JobSpec = {
  readonly parallelism?: number;
  readonly completions?: number;
  readonly activeDeadlineSeconds?: number | bigint;
  readonly podFailurePolicy?: PodFailurePolicy;
  readonly successPolicy?: SuccessPolicy;
  readonly backoffLimit?: number;
  readonly backoffLimitPerIndex?: number;
  readonly maxFailedIndexes?: number;
  readonly selector?: metaV1.LabelSelector;
  readonly manualSelector?: boolean;
  readonly template?: coreV1.PodTemplateSpec;
  readonly ttlSecondsAfterFinished?: number;
  readonly completionMode?: string;
  readonly suspend?: boolean;
  readonly podReplacementPolicy?: string;
  readonly managedBy?: string;
  readonly scheduling?: JobSchedulingConfiguration;
};

export type JobStatus = {
  readonly conditions?: readonly JobCondition[];
  readonly startTime?: string;
  readonly completionTime?: string;
  readonly active?: number;
  readonly succeeded?: number;
  readonly failed?: number;
  readonly terminating?: number;
  readonly completedIndexes?: string;
  readonly failedIndexes?: string;
  readonly uncountedTerminatedPods?: UncountedTerminatedPods;
  readonly ready?: number;
};

export type JobTemplateSpec = {
  readonly metadata?: ObjectMeta;
  readonly spec?: JobSpec;
};

export type PodFailurePolicy = {
  readonly rules?: readonly PodFailurePolicyRule[] | null;
};

export type PodFailurePolicyOnExitCodesRequirement = {
  readonly containerName?: string;
  readonly operator?: string;
  readonly values?: readonly number[] | null;
};

export type PodFailurePolicyOnPodConditionsPattern = {
  readonly type?: string;
  readonly status?: string;
};

export type PodFailurePolicyRule = {
  readonly action?: string;
  readonly onExitCodes?: PodFailurePolicyOnExitCodesRequirement;
  readonly onPodConditions?: readonly PodFailurePolicyOnPodConditionsPattern[];
};

export type SuccessPolicy = {
  readonly rules?: readonly SuccessPolicyRule[] | null;
};

export type SuccessPolicyRule = {
  readonly succeededIndexes?: string;
  readonly succeededCount?: number;
};

export type UncountedTerminatedPods = {
  readonly succeeded?: readonly string[];
  readonly failed?: readonly string[];
};
