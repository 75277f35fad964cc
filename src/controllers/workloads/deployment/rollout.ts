import { ok, type Result } from '../../../machinery/meta/result.ts';
import { asObject, type JsonObject } from '../../../machinery/json/json.ts';
import type { ApiClient } from '../../client.ts';
import type { BuiltinTypes } from '../../../api/types/builtin-types.ts';
import type { EventRecorder } from '../event-recorder.ts';
import { nameOf, replicasOf, uidOf } from '../fields.ts';
import { appsV1 } from '../replica-kinds.ts';
import { putObject, updateStatus } from '../../write-object.ts';
import { desiredReplicas, maxReplicas, withReplicaAnnotations } from './annotations.ts';
import { maxSurge, type ReplicaSetFamily } from './replica-sets.ts';
import type { Deployment, ReplicaSet } from '../../../api/types/generated/apps-v1.ts';

export const deployments = appsV1('deployments');
export const replicaSetResource = appsV1('replicasets');

/** A Deployment and its ReplicaSets during one sync. */
export interface Rollout {
  readonly types: BuiltinTypes;
  readonly client: ApiClient;
  readonly recorder: EventRecorder;
  readonly now: () => number;
  readonly deployment: Deployment;
  readonly family: ReplicaSetFamily;
}

/** Writes the status if it changed. */
export async function writeStatus(rollout: Rollout, status: JsonObject): Promise<Result<Rollout>> {
  const { client, deployment } = rollout;
  const written = await updateStatus(client, deployments, deployment, status);
  return written.ok ? ok({ ...rollout, deployment: written.value }) : written;
}

export interface ScaleResult {
  readonly rollout: Rollout;
  readonly scaled: boolean;
}

/**
 * Scales a ReplicaSet. `always`: also when only the replica annotations are stale. Follows
 * pkg/controller/deployment/sync.go scaleReplicaSet.
 */
export async function scaleReplicaSet(
  rollout: Rollout,
  replicaSet: ReplicaSet,
  replicas: number,
  always = false,
): Promise<Result<ScaleResult>> {
  const { client, recorder, deployment } = rollout;
  const before = replicasOf(replicaSet);
  const isStale =
    desiredReplicas(replicaSet) !== replicasOf(deployment) ||
    maxReplicas(replicaSet) !== replicasOf(deployment) + maxSurge(deployment);
  if (before === replicas && !(always && isStale)) return ok({ rollout, scaled: false });
  const sized = withReplicaAnnotations({ ...replicaSet, spec: { ...asObject(replicaSet.spec), replicas } }, deployment);
  const written = await putObject(client, replicaSetResource, sized);
  if (!written.ok) return written;
  if (before !== replicas) {
    const direction = before < replicas ? 'up' : 'down';
    const message = `Scaled ${direction} replica set ${nameOf(replicaSet)} from ${before} to ${replicas}`;
    recorder.event(deployment, 'Normal', 'ScalingReplicaSet', message);
  }
  return ok({ rollout: replaceReplicaSet(rollout, written.value), scaled: before !== replicas });
}

function replaceReplicaSet(rollout: Rollout, replicaSet: ReplicaSet): Rollout {
  const newer = <T extends ReplicaSet | undefined>(one: T): T | ReplicaSet =>
    one && uidOf(one) === uidOf(replicaSet) ? replicaSet : one;
  const { current, old } = rollout.family;
  return { ...rollout, family: { current: newer(current), old: old.map(newer) } };
}
