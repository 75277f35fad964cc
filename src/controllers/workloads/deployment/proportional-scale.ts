import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { ok, type Result } from '../../../machinery/meta/result.ts';
import { byAge, intOrZero, nameOf, replicasOf } from '../fields.ts';
import { desiredReplicas, maxReplicas } from './annotations.ts';
import { maxSurge, allReplicaSets, isActiveSet, totalReplicas } from './replica-sets.ts';
import { type Rollout, scaleReplicaSet } from './rollout.ts';
import type { Deployment, ReplicaSet } from '../../../api/types/generated/apps-v1.ts';

/**
 * Scales a Deployment outside of a rollout: the active ReplicaSet, or all in proportion. Follows
 * pkg/controller/deployment/sync.go scale.
 */
export async function scaleFamily(rollout: Rollout): Promise<Result<Rollout>> {
  const { deployment, family } = rollout;
  const active = allReplicaSets(family).filter(isActiveSet);
  const only = active.length === 0 ? (family.current ?? family.old.at(-1)) : active[0];
  if (!only) return ok(rollout);
  if (active.length < 2) return scaleAll(rollout, [[only, replicasOf(deployment)]], false);
  if (isSaturated(rollout)) {
    const toScaleDown = family.old.filter(isActiveSet).map((one): ScaleTarget => [one, 0]);
    return scaleAll(rollout, toScaleDown, false);
  }
  const isRolling = deployment.spec?.strategy?.type === 'RollingUpdate';
  return isRolling ? scaleAll(rollout, proportions(rollout.deployment, active), true) : ok(rollout);
}

type ScaleTarget = readonly [replicaSet: KubernetesObject, replicas: number];

async function scaleAll(rollout: Rollout, sizes: readonly ScaleTarget[], always: boolean): Promise<Result<Rollout>> {
  let now = rollout;
  for (const [replicaSet, replicas] of sizes) {
    const result = await scaleReplicaSet(now, replicaSet, replicas, always);
    if (!result.ok) return result;
    now = result.value.rollout;
  }
  return ok(now);
}

/** The new ReplicaSet is complete and available. */
function isSaturated({ deployment, family: { current } }: Rollout): boolean {
  const desired = replicasOf(deployment);
  return (
    current !== undefined &&
    [replicasOf(current), desiredReplicas(current), intOrZero(current.status?.availableReplicas)].every(
      (n) => n === desired,
    )
  );
}

/** The largest first, of equal ones the newer for growth and the older for reduction; the first gets the remainder. */
function proportions(deployment: Deployment, active: readonly KubernetesObject[]): readonly ScaleTarget[] {
  const desired = replicasOf(deployment);
  const toAdd = (desired > 0 ? desired + maxSurge(deployment) : 0) - totalReplicas(active);
  const sorted = [...active].sort((a, b) => replicasOf(b) - replicasOf(a) || (toAdd > 0 ? byAge(b, a) : byAge(a, b)));
  let added = 0;
  const sizes = new Map<string, number>();
  for (const one of sorted) {
    const share = replicaSetProportion(one, deployment, { toAdd, added });
    sizes.set(nameOf(one), replicasOf(one) + share);
    added += share;
  }
  const left = toAdd - added;
  return sorted.map((one, index) => {
    const size = sizes.get(nameOf(one)) ?? 0;
    return [one, index === 0 ? Math.max(0, size + left) : size];
  });
}

/** Follows GetReplicaSetProportion. */
function replicaSetProportion(
  replicaSet: ReplicaSet,
  deployment: Deployment,
  { toAdd, added }: { readonly toAdd: number; readonly added: number },
): number {
  if (toAdd === added) return 0;
  const fraction = replicaSetFraction(replicaSet, deployment);
  return toAdd > 0 ? Math.min(fraction, toAdd - added) : Math.max(fraction, toAdd - added);
}

function replicaSetFraction(replicaSet: ReplicaSet, deployment: Deployment): number {
  const size = replicasOf(replicaSet);
  const desired = replicasOf(deployment);
  if (desired === 0) return -size;
  const before = maxReplicas(replicaSet) || intOrZero(deployment.status?.replicas);
  return before === 0 ? 0 : Math.round((size * (desired + maxSurge(deployment))) / before) - size;
}
