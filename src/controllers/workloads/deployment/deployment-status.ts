import { asString } from '../../../machinery/json/json.ts';
import { formatTime } from '../../../machinery/meta/time.ts';
import {
  type WorkloadCondition,
  conditionsOf,
  findCondition,
  withCondition,
  compactStatus,
  generationOf,
  intOrZero,
  optionalInt,
  replicasOf,
} from '../fields.ts';
import { maxUnavailable, allReplicaSets, type ReplicaSetFamily, totalReplicas, totalStatus } from './replica-sets.ts';
import type {
  Deployment,
  DeploymentStatus,
  ReplicaSet,
  ReplicaSetCondition,
} from '../../../api/types/generated/apps-v1.ts';

export const deploymentCondition = (
  type: string,
  status: WorkloadCondition['status'],
  { reason, message, now }: { readonly reason: string; readonly message: string; readonly now: number },
): WorkloadCondition => ({
  type,
  status,
  lastUpdateTime: formatTime(now),
  lastTransitionTime: formatTime(now),
  reason,
  message,
});

/** No deadline never expires. */
export const progressDeadline = (deployment: Deployment): number | undefined => {
  const seconds = optionalInt(deployment.spec?.progressDeadlineSeconds);
  return seconds === 0x7fffffff ? undefined : seconds;
};

/** Follows pkg/controller/deployment/sync.go calculateStatus. */
export function deploymentStatus(deployment: Deployment, family: ReplicaSetFamily, now: number): DeploymentStatus {
  const all = allReplicaSets(family);
  const available = totalStatus(all, 'availableReplicas');
  const hasMinimum = available >= replicasOf(deployment) - maxUnavailable(deployment);
  const availableCondition = hasMinimum
    ? { reason: 'MinimumReplicasAvailable', message: 'Deployment has minimum availability.', now }
    : { reason: 'MinimumReplicasUnavailable', message: 'Deployment does not have minimum availability.', now };
  const condition = deploymentCondition('Available', hasMinimum ? 'True' : 'False', availableCondition);
  return statusWith(deployment, {
    observedGeneration: generationOf(deployment),
    replicas: totalStatus(all, 'replicas'),
    updatedReplicas: intOrZero(family.current?.status?.replicas),
    readyReplicas: totalStatus(all, 'readyReplicas'),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, totalReplicas(all) - available),
    terminatingReplicas: terminatingOf(all),
    conditions: withCondition(conditionsOf(deployment), condition),
  });
}

type Counts = { readonly [Field in keyof DeploymentStatus]: DeploymentStatus[Field] | undefined };

/** The status in Go's format. */
const statusWith = (deployment: Deployment, fields: Counts): DeploymentStatus =>
  compactStatus<DeploymentStatus>({ ...fields, collisionCount: optionalInt(deployment.status?.collisionCount) }, [
    'collisionCount',
    'terminatingReplicas',
  ]);

/**
 * undefined while a ReplicaSet does not report it; unobserved ones do not count. Follows
 * GetTerminatingReplicaCountForReplicaSets.
 */
function terminatingOf(replicaSets: readonly ReplicaSet[]): number | undefined {
  const seen = replicaSets.filter((one) => intOrZero(one.status?.observedGeneration) !== 0);
  const counts = seen.map((one) => optionalInt(one.status?.terminatingReplicas));
  return counts.reduce((a, b) => (a === undefined || b === undefined ? undefined : a + b), 0);
}

/** All Pods have the current template and are available. Follows DeploymentComplete. */
export function isComplete(deployment: Deployment, status: DeploymentStatus): boolean {
  const replicas = replicasOf(deployment);
  return (
    [status.updatedReplicas, status.replicas, status.availableReplicas].every(
      (count) => intOrZero(count) === replicas,
    ) && intOrZero(status.observedGeneration) >= generationOf(deployment)
  );
}

/** More updated, ready or available Pods, or fewer old ones. Follows DeploymentProgressing. */
export function isProgressing(before: DeploymentStatus, after: DeploymentStatus): boolean {
  const grew = (field: 'updatedReplicas' | 'readyReplicas' | 'availableReplicas'): boolean =>
    intOrZero(after[field]) > intOrZero(before[field]);
  const oldReplicas = (status: DeploymentStatus): number =>
    intOrZero(status.replicas) - intOrZero(status.updatedReplicas);
  return (
    grew('updatedReplicas') ||
    oldReplicas(after) < oldReplicas(before) ||
    grew('readyReplicas') ||
    grew('availableReplicas')
  );
}

/** The first ReplicaFailure, the new ReplicaSet's before those of old ones. */
export function replicaFailure({ current, old }: ReplicaSetFamily): WorkloadCondition | undefined {
  for (const one of [...(current ? [current] : []), ...old]) {
    const found = findCondition(conditionsOf(one), 'ReplicaFailure');
    if (found) return failureOf(found);
  }
  return undefined;
}

const failureOf = ({ lastTransitionTime, reason, message }: ReplicaSetCondition): WorkloadCondition => ({
  type: 'ReplicaFailure',
  status: 'True',
  lastUpdateTime: asString(lastTransitionTime),
  lastTransitionTime: asString(lastTransitionTime),
  reason: asString(reason),
  message: asString(message),
});
