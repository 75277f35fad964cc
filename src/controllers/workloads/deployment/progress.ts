import { asList, asString } from '../../../machinery/json/json.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import {
  type WorkloadCondition,
  conditionsOf,
  findCondition,
  withCondition,
  withoutCondition,
  nameOf,
  statusOf,
} from '../fields.ts';
import { millisecondsOf } from '../pod-state.ts';
import {
  deploymentCondition,
  deploymentStatus,
  isComplete,
  isProgressing,
  progressDeadline,
  replicaFailure,
} from './deployment-status.ts';
import type { ReplicaSetFamily } from './replica-sets.ts';
import type { Deployment, DeploymentCondition, DeploymentStatus } from '../../../api/types/generated/apps-v1.ts';

/** The status of a rollout with its progress and failure conditions. Follows pkg/controller/deployment/progress.go. */
export function rolloutStatus(deployment: Deployment, family: ReplicaSetFamily, now: number): DeploymentStatus {
  const status = deploymentStatus(deployment, family, now);
  const counted = asList(status.conditions);
  const progressed = withProgress(deployment, { status, conditions: counted, family, now });
  const failure = replicaFailure(family);
  const conditions = failure ? withCondition(progressed, failure) : withoutCondition(progressed, 'ReplicaFailure');
  return { ...status, conditions };
}

type Conditions = readonly DeploymentCondition[];

interface Progress {
  readonly status: DeploymentStatus;
  readonly conditions: Conditions;
  readonly family: ReplicaSetFamily;
  readonly now: number;
}

function withProgress(deployment: Deployment, { status, conditions, family, now }: Progress): Conditions {
  const deadline = progressDeadline(deployment);
  if (deadline === undefined) return withoutCondition(conditions, 'Progressing');
  const current = findCondition(conditionsOf(deployment), 'Progressing');
  const isDone = current?.reason === 'NewReplicaSetAvailable';
  if (isDone && (status.replicas ?? 0) === (status.updatedReplicas ?? 0)) return conditions;
  return progressOf(deployment, { status, conditions, family, now }, deadline);
}

function progressOf(
  deployment: Deployment,
  { status, conditions, family, now }: Progress,
  deadline: number,
): Conditions {
  const current = findCondition(conditionsOf(deployment), 'Progressing');
  const subject = family.current ? `ReplicaSet "${nameOf(family.current)}"` : `Deployment "${nameOf(deployment)}"`;
  const condition = (value: WorkloadCondition['status'], reason: string, message: string): WorkloadCondition =>
    deploymentCondition('Progressing', value, { reason, message: `${subject} ${message}.`, now });
  if (isComplete(deployment, status)) {
    return withCondition(conditions, condition('True', 'NewReplicaSetAvailable', 'has successfully progressed'));
  }
  if (isProgressing(statusOf(deployment), status)) {
    const since = current?.status === 'True' ? asString(current.lastTransitionTime) : undefined;
    const updated = condition('True', 'ReplicaSetUpdated', 'is progressing');
    const dated = since === undefined ? updated : { ...updated, lastTransitionTime: since };
    return withCondition(withoutCondition(conditions, 'Progressing'), dated);
  }
  return isTimedOut(current, deadline, now)
    ? withCondition(conditions, condition('False', 'ProgressDeadlineExceeded', 'has timed out progressing'))
    : conditions;
}

function isTimedOut(current: DeploymentCondition | undefined, deadline: number, now: number): boolean {
  if (!current || current.reason === 'NewReplicaSetAvailable') return false;
  const since = millisecondsOf(asString(current.lastUpdateTime));
  return current.reason === 'ProgressDeadlineExceeded' || (since !== undefined && since + deadline * 1000 < now);
}

/** Milliseconds until the progress deadline; undefined without one. Follows requeueStuckDeployment. */
export function nextProgressCheck(deployment: Deployment, now: number): number | undefined {
  const deadline = progressDeadline(deployment);
  const current = findCondition(conditionsOf(deployment), 'Progressing');
  if (deadline === undefined || !current || current.reason === 'ProgressDeadlineExceeded') return undefined;
  if (isComplete(deployment, statusOf(deployment))) return undefined;
  const since = millisecondsOf(asString(current.lastUpdateTime));
  return since === undefined ? undefined : Math.max(0, since + deadline * 1000 - now) + 1000;
}

/** The Progressing condition of a pause or resume, if it changes. Follows checkPausedConditions. */
export function pausedStatus(deployment: Deployment, isPaused: boolean, now: number): DeploymentStatus | undefined {
  const conditions = conditionsOf(deployment);
  const reason = findCondition(conditions, 'Progressing')?.reason;
  if (progressDeadline(deployment) === undefined || reason === 'ProgressDeadlineExceeded') return undefined;
  if (isPaused === (reason === 'DeploymentPaused')) return undefined;
  const paused = isPaused
    ? { reason: 'DeploymentPaused', message: 'Deployment is paused', now }
    : { reason: 'DeploymentResumed', message: 'Deployment is resumed', now };
  const changed = withCondition(conditions, deploymentCondition('Progressing', 'Unknown', paused));
  return sameJson(changed, conditions) ? undefined : { ...statusOf(deployment), conditions: changed };
}
