import { asString } from '../../../apimachinery/json.ts';
import type { JsonObject } from '../../../apimachinery/json.ts';
import { formatTime } from '../../../apimachinery/time.ts';
import type { Condition } from '../conditions.ts';
import { conditionsOf, findCondition, withCondition } from '../conditions.ts';
import { compactStatus, generationOf, intAt, optionalInt, replicasOf } from '../fields.ts';
import { maxUnavailable } from './fenceposts.ts';
import { allOf, totalReplicas, totalStatus } from './replica-sets.ts';
import type { Family } from './replica-sets.ts';
import type { Deployment, ReplicaSet } from '../../../schema/generated/apps-v1.ts';

/** A condition of a Deployment as of now. */
export const deploymentCondition = (
  type: string,
  status: Condition['status'],
  { reason, message, now }: { readonly reason: string; readonly message: string; readonly now: number },
): Condition => ({
  type,
  status,
  lastUpdateTime: formatTime(now),
  lastTransitionTime: formatTime(now),
  reason,
  message,
});

/** No deadline is one that never comes. */
export const progressDeadline = (deployment: Deployment): number | undefined => {
  const seconds = optionalInt(deployment, 'spec', 'progressDeadlineSeconds');
  return seconds === 0x7fffffff ? undefined : seconds;
};

/** Follows pkg/controller/deployment/sync.go calculateStatus. */
export function deploymentStatus(deployment: Deployment, family: Family, now: number): JsonObject {
  const all = allOf(family);
  const available = totalStatus(all, 'availableReplicas');
  const hasMinimum = available >= replicasOf(deployment) - maxUnavailable(deployment);
  const says = hasMinimum
    ? { reason: 'MinimumReplicasAvailable', message: 'Deployment has minimum availability.', now }
    : { reason: 'MinimumReplicasUnavailable', message: 'Deployment does not have minimum availability.', now };
  const condition = deploymentCondition('Available', hasMinimum ? 'True' : 'False', says);
  return statusWith(deployment, {
    observedGeneration: generationOf(deployment),
    replicas: totalStatus(all, 'replicas'),
    updatedReplicas: intAt(family.current, 'status', 'replicas'),
    readyReplicas: totalStatus(all, 'readyReplicas'),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, totalReplicas(all) - available),
    terminatingReplicas: terminatingOf(all),
    conditions: withCondition(conditionsOf(deployment), condition),
  });
}

/** A status in Go's words; what it counts apart from Pods stays. */
const statusWith = (deployment: Deployment, fields: JsonObject): JsonObject =>
  compactStatus({ ...fields, collisionCount: optionalInt(deployment, 'status', 'collisionCount') }, [
    'collisionCount',
    'terminatingReplicas',
  ]);

/**
 * Unknown while one of them does not say; those that nobody looked at yet do not count.
 * Follows GetTerminatingReplicaCountForReplicaSets.
 */
function terminatingOf(replicaSets: readonly ReplicaSet[]): number | undefined {
  const seen = replicaSets.filter((one) => intAt(one, 'status', 'observedGeneration') !== 0);
  const counts = seen.map((one) => optionalInt(one, 'status', 'terminatingReplicas'));
  return counts.reduce((a, b) => (a === undefined || b === undefined ? undefined : a + b), 0);
}

/** All Pods are of today's template and available. Follows DeploymentComplete. */
export function isComplete(deployment: Deployment, status: JsonObject): boolean {
  const replicas = replicasOf(deployment);
  return (
    ['updatedReplicas', 'replicas', 'availableReplicas'].every((field) => intAt(status, field) === replicas) &&
    intAt(status, 'observedGeneration') >= generationOf(deployment)
  );
}

/** More of what is wanted, or less of what is not, than before. Follows DeploymentProgressing. */
export function isProgressing(before: JsonObject, after: JsonObject): boolean {
  const grew = (field: string): boolean => intAt(after, field) > intAt(before, field);
  const oldReplicas = (status: JsonObject): number => intAt(status, 'replicas') - intAt(status, 'updatedReplicas');
  return (
    grew('updatedReplicas') ||
    oldReplicas(after) < oldReplicas(before) ||
    grew('readyReplicas') ||
    grew('availableReplicas')
  );
}

/** The first of a family's ReplicaSets that cannot make its Pods, today's before the others. */
export function replicaFailure({ current, old }: Family): JsonObject | undefined {
  for (const one of [...(current ? [current] : []), ...old]) {
    const found = findCondition(conditionsOf(one), 'ReplicaFailure');
    if (found) return failureOf(found);
  }
  return undefined;
}

const failureOf = ({ type, status, lastTransitionTime, reason, message }: JsonObject): JsonObject => ({
  type: asString(type),
  status: asString(status),
  lastUpdateTime: asString(lastTransitionTime),
  lastTransitionTime: asString(lastTransitionTime),
  reason: asString(reason),
  message: asString(message),
});
