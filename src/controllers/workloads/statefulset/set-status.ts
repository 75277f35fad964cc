import { compactStatus, generationOf, intOf, minReadyOf, isDeleted, replicasOf, statusOf } from '../fields.ts';
import { labelOf } from '../history/revisions.ts';
import { isAvailable } from '../pod-state.ts';
import { isMade, isRunningReady } from './plan.ts';
import { revisionLabel } from './stateful-pod.ts';
import type { Pod } from '../../../api/types/generated/core-v1.ts';
import type { StatefulSet, StatefulSetStatus } from '../../../api/types/generated/apps-v1.ts';

export interface Seen {
  readonly pods: readonly Pod[];
  /** Of them, so many go in this turn to be replaced. */
  readonly outdated: number;
  readonly currentRevision: string;
  readonly updateRevision: string;
  readonly collisionCount: number;
  readonly now: number;
}

/** Follows computeReplicaStatus and completeRollingUpdate of pkg/controller/statefulset. */
export function setStatus(set: StatefulSet, seen: Seen): StatefulSetStatus {
  const { pods, outdated, currentRevision, updateRevision, collisionCount, now } = seen;
  const made = pods.filter(isMade);
  const ready = made.filter(isRunningReady);
  const living = (revision: string): number =>
    made.filter((pod) => !isDeleted(pod) && labelOf(pod, revisionLabel) === revision).length;
  const updatedReplicas = living(updateRevision);
  const isComplete =
    set.spec?.updateStrategy?.type === 'RollingUpdate' &&
    [updatedReplicas, ready.length, made.length].every((count) => count === replicasOf(set));
  return compactStatus<StatefulSetStatus>(
    {
      observedGeneration: generationOf(set),
      replicas: made.length,
      readyReplicas: ready.length,
      currentReplicas: isComplete ? updatedReplicas : living(currentRevision) - outdated,
      updatedReplicas,
      currentRevision: isComplete ? updateRevision : currentRevision,
      updateRevision,
      collisionCount,
      availableReplicas: ready.filter((pod) => isAvailable(pod, minReadyOf(set), now)).length,
    },
    ['replicas', 'availableReplicas', 'collisionCount'],
  );
}

const compared = [
  'replicas',
  'currentReplicas',
  'readyReplicas',
  'updatedReplicas',
  'currentRevision',
  'availableReplicas',
  'updateRevision',
] as const;

/** Is the new status worth writing? A collision alone is not. Follows inconsistentStatus. */
export function isNews(set: StatefulSet, status: StatefulSetStatus): boolean {
  const before = statusOf(set);
  return (
    intOf(status.observedGeneration) > intOf(before.observedGeneration) ||
    compared.some((field) => (status[field] ?? 0) !== (before[field] ?? (typeof status[field] === 'string' ? '' : 0)))
  );
}
