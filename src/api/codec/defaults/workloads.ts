import { hasEntries } from '../../../machinery/json/json.ts';
import type { ObjectMeta, StringMap } from '../../../machinery/meta/object.ts';
import type * as apps from '../../types/generated/apps-v1.ts';
import type * as v1 from '../../types/generated/autoscaling-v1.ts';
import type * as v2 from '../../types/generated/autoscaling-v2.ts';
import type { HorizontalPodAutoscalerBehavior, HPAScalingRules } from '../../types/generated/autoscaling-v2.ts';
import type * as batch from '../../types/generated/batch-v1.ts';
import type * as core from '../../types/generated/core-v1.ts';
import type { PodTemplateSpec } from '../../types/generated/core-v1.ts';
import { dropRoundTripAnnotations } from '../convert/autoscaler.ts';
import { defaultMetrics } from '../convert/autoscaler-metrics.ts';
import { podTemplateSpec } from './pod.ts';
import { persistentVolumeClaim } from './storage.ts';
import {
  always,
  chainDefaults,
  defaultEach,
  type Defaulter,
  ifPresent,
  structDefaults,
  unlessZero,
} from './struct-defaults.ts';

export function nonEmptyTemplateLabels(template: PodTemplateSpec | null | undefined): StringMap | undefined {
  const labels = template?.metadata?.labels;
  return hasEntries(labels) ? labels : undefined;
}

type Owner = {
  readonly metadata?: ObjectMeta;
  readonly spec?: { readonly template?: PodTemplateSpec | null };
};

/**
 * Copies the template's labels to an object without any. Follows kubernetes pkg/apis/core/v1/defaults.go
 * SetDefaults_ReplicationController.
 */
export function copyTemplateLabels<T extends Owner>(owner: T): T {
  const labels = owner.spec?.template?.metadata?.labels;
  if ((labels ?? undefined) === undefined || hasEntries(owner.metadata?.labels)) return owner;
  return { ...owner, metadata: { ...owner.metadata, labels } };
}

const rollingDeployment = structDefaults<apps.RollingUpdateDeployment>({ maxUnavailable: '25%', maxSurge: '25%' });

const deploymentStrategy = structDefaults<apps.DeploymentStrategy>({
  type: 'RollingUpdate',
  rollingUpdate: (value, { type }) =>
    (type ?? 'RollingUpdate') === 'RollingUpdate' ? always(rollingDeployment)(value) : value,
});

/** Follows kubernetes pkg/apis/apps/v1/defaults.go SetDefaults_Deployment. */
export const deployment = structDefaults<apps.Deployment>({
  spec: always(
    structDefaults<apps.DeploymentSpec>({
      replicas: 1,
      template: ifPresent(podTemplateSpec),
      strategy: always(deploymentStrategy),
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
    }),
  ),
});

/** Follows kubernetes pkg/apis/apps/v1/defaults.go SetDefaults_ReplicaSet. */
export const replicaSet = structDefaults<apps.ReplicaSet>({
  spec: always(structDefaults<apps.ReplicaSetSpec>({ replicas: 1, template: ifPresent(podTemplateSpec) })),
});

/** Without a type, `rollingUpdate` is created; with one, an absent `rollingUpdate` stays absent. */
const statefulSetUpdateStrategy = structDefaults<apps.StatefulSetUpdateStrategy>({
  type: 'RollingUpdate',
  rollingUpdate: (value, { type }) => {
    const rollingUpdate = value ?? (type === undefined ? {} : undefined);
    const isRolling = type === undefined || type === 'RollingUpdate';
    return isRolling && rollingUpdate !== undefined ? partition(rollingUpdate) : rollingUpdate;
  },
});
const partition = structDefaults<apps.RollingUpdateStatefulSetStrategy>({ partition: 0 });

/** Follows kubernetes pkg/apis/apps/v1/conversion.go. */
const claimTemplate = chainDefaults(
  persistentVolumeClaim,
  structDefaults<Partial<core.PersistentVolumeClaim>>({
    kind: () => 'PersistentVolumeClaim',
    apiVersion: () => 'v1',
  }),
);

const claimRetention = structDefaults<apps.StatefulSetPersistentVolumeClaimRetentionPolicy>({
  whenDeleted: 'Retain',
  whenScaled: 'Retain',
});

/** Follows kubernetes pkg/apis/apps/v1/defaults.go SetDefaults_StatefulSet. */
export const statefulSet = structDefaults<apps.StatefulSet>({
  spec: always(
    structDefaults<apps.StatefulSetSpec>({
      replicas: 1,
      template: ifPresent(podTemplateSpec),
      volumeClaimTemplates: defaultEach(claimTemplate),
      podManagementPolicy: 'OrderedReady',
      updateStrategy: always(statefulSetUpdateStrategy),
      revisionHistoryLimit: 10,
      persistentVolumeClaimRetentionPolicy: always(claimRetention),
    }),
  ),
});

const rollingDaemonSet = structDefaults<apps.RollingUpdateDaemonSet>({ maxUnavailable: 1, maxSurge: 0 });

const daemonSetUpdateStrategy = structDefaults<apps.DaemonSetUpdateStrategy>({
  type: 'RollingUpdate',
  rollingUpdate: (value, { type }) =>
    (type ?? 'RollingUpdate') === 'RollingUpdate' ? always(rollingDaemonSet)(value) : value,
});

const defaultTemplateGeneration: Defaulter<StringMap> = (annotations) =>
  Object.hasOwn(annotations, templateGenerationKey) ? annotations : { ...annotations, [templateGenerationKey]: '0' };
const templateGenerationKey = 'deprecated.daemonset.template.generation';

/** Follows kubernetes pkg/apis/apps/v1/defaults.go SetDefaults_DaemonSet and pkg/apis/apps/v1/conversion.go. */
export const daemonSet = structDefaults<apps.DaemonSet>({
  metadata: always(structDefaults<ObjectMeta>({ annotations: always(defaultTemplateGeneration) })),
  spec: always(
    structDefaults<apps.DaemonSetSpec>({
      template: ifPresent(podTemplateSpec),
      updateStrategy: always(daemonSetUpdateStrategy),
      revisionHistoryLimit: 10,
    }),
  ),
});

const replicationControllerSpec = structDefaults<core.ReplicationControllerSpec>({
  replicas: 1,
  selector: (value, { template }) => (hasEntries(value) ? value : (nonEmptyTemplateLabels(template) ?? value)),
  template: ifPresent(podTemplateSpec),
});

/** Selector and labels default to those of the template. Follows kubernetes pkg/apis/core/v1/defaults.go. */
export const replicationController = chainDefaults<core.ReplicationController>(
  copyTemplateLabels,
  structDefaults<core.ReplicationController>({ spec: always(replicationControllerSpec) }),
);

/** Follows kubernetes pkg/apis/core/v1/zz_generated.defaults.go SetObjectDefaults_PodTemplate. */
export const podTemplate = structDefaults<core.PodTemplate>({ template: ifPresent(podTemplateSpec) });

const podConditionPattern = structDefaults<batch.PodFailurePolicyOnPodConditionsPattern>({
  status: unlessZero('True'),
});
const podFailurePolicy = structDefaults<batch.PodFailurePolicy>({
  rules: defaultEach(structDefaults<batch.PodFailurePolicyRule>({ onPodConditions: defaultEach(podConditionPattern) })),
});

const noRetriesOfIndexes = 2147483647;

const jobSpec = structDefaults<batch.JobSpec>({
  parallelism: 1,
  completions: (value, { parallelism }) => value ?? (parallelism === undefined ? 1 : undefined),
  podFailurePolicy: ifPresent(podFailurePolicy),
  backoffLimit: (value, { backoffLimitPerIndex }) =>
    value ?? (backoffLimitPerIndex === undefined ? 6 : noRetriesOfIndexes),
  manualSelector: false,
  template: ifPresent(podTemplateSpec),
  completionMode: 'NonIndexed',
  suspend: false,
  podReplacementPolicy: (value, { podFailurePolicy: policy }) =>
    value ?? (policy === undefined ? 'TerminatingOrFailed' : 'Failed'),
});

/** Follows kubernetes pkg/apis/batch/v1/defaults.go SetDefaults_Job. */
export const job = chainDefaults<batch.Job>(copyTemplateLabels, structDefaults<batch.Job>({ spec: always(jobSpec) }));

/** Only the pod template and the failure policy of a job template are defaulted. */
const jobTemplate = structDefaults<batch.JobTemplateSpec>({
  spec: ifPresent(
    structDefaults<batch.JobSpec>({
      podFailurePolicy: ifPresent(podFailurePolicy),
      template: ifPresent(podTemplateSpec),
    }),
  ),
});

/** Follows kubernetes pkg/apis/batch/v1/defaults.go SetDefaults_CronJob. */
export const cronJob = structDefaults<batch.CronJob>({
  spec: always(
    structDefaults<batch.CronJobSpec>({
      concurrencyPolicy: 'Allow',
      suspend: false,
      jobTemplate: ifPresent(jobTemplate),
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    }),
  ),
});

const scaleUp = structDefaults<HPAScalingRules>({
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
});
const scaleDown = structDefaults<HPAScalingRules>({
  selectPolicy: 'Max',
  policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
});

/** Follows kubernetes pkg/apis/autoscaling/v2/defaults.go SetDefaults_HorizontalPodAutoscaler. */
export const autoscalerV2 = structDefaults<v2.HorizontalPodAutoscaler>({
  metadata: ifPresent(dropRoundTripAnnotations),
  spec: always(
    structDefaults<v2.HorizontalPodAutoscalerSpec>({
      minReplicas: 1,
      metrics: unlessZero(defaultMetrics),
      behavior: ifPresent(
        structDefaults<HorizontalPodAutoscalerBehavior>({
          scaleUp: always(scaleUp),
          scaleDown: always(scaleDown),
        }),
      ),
    }),
  ),
});

/** Follows kubernetes pkg/apis/autoscaling/v1/defaults.go SetDefaults_HorizontalPodAutoscaler. */
export const autoscalerV1 = structDefaults<v1.HorizontalPodAutoscaler>({
  spec: always(structDefaults<v1.HorizontalPodAutoscalerSpec>({ minReplicas: 1 })),
});
