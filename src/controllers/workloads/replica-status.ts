import { asObject } from '../../machinery/json/json.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import { metadataOf } from '../../machinery/meta/object.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import type { Result } from '../../machinery/meta/result.ts';
import { formatTime } from '../../machinery/meta/time.ts';
import { conditionsOf, findCondition, withCondition, withoutCondition } from './conditions.ts';
import { compactStatus, generationOf, minReadyOf, replicasOf } from './fields.ts';
import { isAvailable, isReady } from './pod-state.ts';
import type { ReplicaOwner } from './replica-kinds.ts';
import type { Pod } from '../../api/types/generated/core-v1.ts';
import type { ReplicaSetStatus } from '../../api/types/generated/apps-v1.ts';

interface Seen {
  readonly active: readonly KubernetesObject[];
  /** Undefined where they do not count. */
  readonly terminating: number | undefined;
  readonly managed: Result<unknown>;
  readonly now: number;
}

/** Follows pkg/controller/replicaset/replica_set_utils.go calculateStatus. */
export function replicaStatus(owner: ReplicaOwner, { active, terminating, managed, now }: Seen): ReplicaSetStatus {
  const labels = Object.entries(asObject(owner.spec?.template?.metadata?.labels));
  const isFullyLabelled = (pod: Pod): boolean =>
    labels.every(([key, value]) => metadataOf(pod).labels?.[key] === value);
  const minReadySeconds = minReadyOf(owner);
  return compactStatus<ReplicaSetStatus>(
    {
      replicas: active.length,
      fullyLabeledReplicas: active.filter(isFullyLabelled).length,
      readyReplicas: active.filter(isReady).length,
      availableReplicas: active.filter((pod) => isAvailable(pod, minReadySeconds, now)).length,
      terminatingReplicas: terminating,
      observedGeneration: generationOf(owner),
      conditions: replicaConditions(owner, { active, managed, now }),
    },
    ['replicas', 'terminatingReplicas'],
  );
}

/** A failure keeps the words of the first time. */
function replicaConditions(
  owner: ReplicaOwner,
  { active, managed, now }: Omit<Seen, 'terminating'>,
): readonly JsonObject[] {
  const conditions = conditionsOf(owner);
  if (managed.ok) return withoutCondition(conditions, 'ReplicaFailure');
  if (findCondition(conditions, 'ReplicaFailure')) return conditions;
  return withCondition(conditions, {
    type: 'ReplicaFailure',
    status: 'True',
    lastTransitionTime: formatTime(now),
    reason: active.length < replicasOf(owner) ? 'FailedCreate' : 'FailedDelete',
    message: managed.status.message ?? '',
  });
}
