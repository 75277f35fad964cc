import { podTemplateSpec } from './pod.ts';
import { always, both, each, inside, structDefaults, unlessZero } from './struct-defaults.ts';
import { labelledFromTemplate } from './template-labels.ts';
import type * as batch from '../../types/generated/batch-v1.ts';

const onPodCondition = structDefaults<batch.PodFailurePolicyOnPodConditionsPattern>({
  status: unlessZero('True'),
});
const podFailurePolicy = structDefaults<batch.PodFailurePolicy>({
  rules: each(structDefaults<batch.PodFailurePolicyRule>({ onPodConditions: each(onPodCondition) })),
});

const noRetriesOfIndexes = 2147483647;

const jobSpec = structDefaults<batch.JobSpec>({
  parallelism: 1,
  completions: (value, { parallelism }) => value ?? (parallelism === undefined ? 1 : undefined),
  podFailurePolicy: inside(podFailurePolicy),
  backoffLimit: (value, { backoffLimitPerIndex }) =>
    value ?? (backoffLimitPerIndex === undefined ? 6 : noRetriesOfIndexes),
  manualSelector: false,
  template: inside(podTemplateSpec),
  completionMode: 'NonIndexed',
  suspend: false,
  podReplacementPolicy: (value, { podFailurePolicy: policy }) =>
    value ?? (policy === undefined ? 'TerminatingOrFailed' : 'Failed'),
});

/** Follows kubernetes pkg/apis/batch/v1/defaults.go SetDefaults_Job. */
export const job = both<batch.Job>(labelledFromTemplate, structDefaults<batch.Job>({ spec: always(jobSpec) }));

/** Only the pod template and the failure policy of a job template are defaulted. */
const jobTemplate = structDefaults<batch.JobTemplateSpec>({
  spec: inside(
    structDefaults<batch.JobSpec>({
      podFailurePolicy: inside(podFailurePolicy),
      template: inside(podTemplateSpec),
    }),
  ),
});

/** Follows kubernetes pkg/apis/batch/v1/defaults.go SetDefaults_CronJob. */
export const cronJob = structDefaults<batch.CronJob>({
  spec: always(
    structDefaults<batch.CronJobSpec>({
      concurrencyPolicy: 'Allow',
      suspend: false,
      jobTemplate: inside(jobTemplate),
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    }),
  ),
});
