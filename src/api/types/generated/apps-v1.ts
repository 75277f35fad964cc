// Made of the tables in src/api/release/newest by test/tools/make-kind-types.ts; not to be edited.

import type { JsonValue } from '../../../machinery/json/json.ts';
import type { ObjectMeta } from '../../../machinery/meta/object.ts';
import type * as coreV1 from './core-v1.ts';
import type * as metaV1 from './meta-v1.ts';

export type ControllerRevision = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly data?: JsonValue | null;
  readonly revision?: number | bigint;
};

export type ControllerRevisionList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<ControllerRevision>[] | null;
};

export type DaemonSet = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: DaemonSetSpec;
  readonly status?: DaemonSetStatus;
};

export type DaemonSetCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
};

export type DaemonSetList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<DaemonSet>[] | null;
};

export type DaemonSetSpec = {
  readonly selector?: metaV1.LabelSelector | null;
  readonly template?: coreV1.PodTemplateSpec;
  readonly updateStrategy?: DaemonSetUpdateStrategy;
  readonly minReadySeconds?: number;
  readonly revisionHistoryLimit?: number;
};

export type DaemonSetStatus = {
  readonly currentNumberScheduled?: number;
  readonly numberMisscheduled?: number;
  readonly desiredNumberScheduled?: number;
  readonly numberReady?: number;
  readonly observedGeneration?: number | bigint;
  readonly updatedNumberScheduled?: number;
  readonly numberAvailable?: number;
  readonly numberUnavailable?: number;
  readonly collisionCount?: number;
  readonly conditions?: readonly DaemonSetCondition[];
};

export type DaemonSetUpdateStrategy = {
  readonly type?: string;
  readonly rollingUpdate?: RollingUpdateDaemonSet;
};

export type Deployment = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: DeploymentSpec;
  readonly status?: DeploymentStatus;
};

export type DeploymentCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly lastUpdateTime?: string | null;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
};

export type DeploymentList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<Deployment>[] | null;
};

export type DeploymentSpec = {
  readonly replicas?: number;
  readonly selector?: metaV1.LabelSelector | null;
  readonly template?: coreV1.PodTemplateSpec;
  readonly strategy?: DeploymentStrategy;
  readonly minReadySeconds?: number;
  readonly revisionHistoryLimit?: number;
  readonly paused?: boolean;
  readonly progressDeadlineSeconds?: number;
};

export type DeploymentStatus = {
  readonly observedGeneration?: number | bigint;
  readonly replicas?: number;
  readonly updatedReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly unavailableReplicas?: number;
  readonly terminatingReplicas?: number;
  readonly conditions?: readonly DeploymentCondition[];
  readonly collisionCount?: number;
};

export type DeploymentStrategy = {
  readonly type?: string;
  readonly rollingUpdate?: RollingUpdateDeployment;
};

export type ReplicaSet = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: ReplicaSetSpec;
  readonly status?: ReplicaSetStatus;
};

export type ReplicaSetCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
};

export type ReplicaSetList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<ReplicaSet>[] | null;
};

export type ReplicaSetSpec = {
  readonly replicas?: number;
  readonly minReadySeconds?: number;
  readonly selector?: metaV1.LabelSelector | null;
  readonly template?: coreV1.PodTemplateSpec;
};

export type ReplicaSetStatus = {
  readonly replicas?: number;
  readonly fullyLabeledReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly terminatingReplicas?: number;
  readonly observedGeneration?: number | bigint;
  readonly conditions?: readonly ReplicaSetCondition[];
};

export type RollingUpdateDaemonSet = {
  readonly maxUnavailable?: number | string;
  readonly maxSurge?: number | string;
};

export type RollingUpdateDeployment = {
  readonly maxUnavailable?: number | string;
  readonly maxSurge?: number | string;
};

export type RollingUpdateStatefulSetStrategy = {
  readonly partition?: number;
  readonly maxUnavailable?: number | string;
};

export type StatefulSet = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: StatefulSetSpec;
  readonly status?: StatefulSetStatus;
};

export type StatefulSetCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
};

export type StatefulSetList = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: metaV1.ListMeta;
  readonly items?: readonly Partial<StatefulSet>[] | null;
};

export type StatefulSetOrdinals = {
  readonly start?: number;
};

export type StatefulSetPersistentVolumeClaimRetentionPolicy = {
  readonly whenDeleted?: string;
  readonly whenScaled?: string;
};

export type StatefulSetSpec = {
  readonly replicas?: number;
  readonly selector?: metaV1.LabelSelector | null;
  readonly template?: coreV1.PodTemplateSpec;
  readonly volumeClaimTemplates?: readonly Partial<coreV1.PersistentVolumeClaim>[];
  readonly serviceName?: string;
  readonly podManagementPolicy?: string;
  readonly updateStrategy?: StatefulSetUpdateStrategy;
  readonly revisionHistoryLimit?: number;
  readonly minReadySeconds?: number;
  readonly persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy;
  readonly ordinals?: StatefulSetOrdinals;
};

export type StatefulSetStatus = {
  readonly observedGeneration?: number | bigint;
  readonly replicas?: number;
  readonly readyReplicas?: number;
  readonly currentReplicas?: number;
  readonly updatedReplicas?: number;
  readonly currentRevision?: string;
  readonly updateRevision?: string;
  readonly collisionCount?: number;
  readonly conditions?: readonly StatefulSetCondition[];
  readonly availableReplicas?: number;
};

export type StatefulSetUpdateStrategy = {
  readonly type?: string;
  readonly rollingUpdate?: RollingUpdateStatefulSetStrategy;
};
