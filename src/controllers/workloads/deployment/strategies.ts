import { ok } from '../../../machinery/meta/result.ts';
import type { Result } from '../../../machinery/meta/result.ts';
import { intOf, replicasOf } from '../fields.ts';
import { newReplicas, withCurrent } from './current-replica-set.ts';
import { maxUnavailable } from './fenceposts.ts';
import { allOf, isActiveSet, totalReplicas, totalStatus } from './replica-sets.ts';
import { scaleSet } from './rollout.ts';
import type { Rollout, Scaled } from './rollout.ts';
import type { ReplicaSet } from '../../../api/types/generated/apps-v1.ts';
import type { Pod } from '../../../api/types/generated/core-v1.ts';

/** Up by what may be too many, then down by what may be missing. Follows pkg/controller/deployment/rolling.go. */
export async function rollOver(before: Rollout): Promise<Result<Scaled>> {
  const made = await withCurrent(before, true);
  if (!made.ok) return made;
  const { deployment, family } = made.value;
  const { current } = family;
  if (!current) return ok({ rollout: made.value, scaled: false });
  const own = replicasOf(current);
  const wanted = replicasOf(deployment);
  const size = own > wanted ? wanted : newReplicas(deployment, totalReplicas(allOf(family)), own);
  const up = await scaleSet(made.value, current, size);
  if (!up.ok || up.value.scaled) return up;
  const down = await shrinkOld(made.value, current);
  return down.ok ? down : ok({ rollout: made.value, scaled: false });
}

async function shrinkOld(rollout: Rollout, current: ReplicaSet): Promise<Result<Scaled>> {
  const { deployment, family } = rollout;
  const least = replicasOf(deployment) - maxUnavailable(deployment);
  const unavailable = replicasOf(current) - intOf(current.status?.availableReplicas);
  const spare = totalReplicas(allOf(family)) - least - unavailable;
  if (totalReplicas(family.old) === 0 || spare <= 0) return ok({ rollout, scaled: false });
  const cleaned = await shrink(rollout, spare, (one) => replicasOf(one) - intOf(one.status?.availableReplicas));
  if (!cleaned.ok) return cleaned;
  const available = totalStatus(allOf(cleaned.value.rollout.family), 'availableReplicas');
  const shrunk = await shrink(cleaned.value.rollout, available - least, replicasOf);
  return shrunk.ok ? ok({ ...shrunk.value, scaled: cleaned.value.scaled || shrunk.value.scaled }) : shrunk;
}

/** Takes up to `most` Pods from the old ones, the oldest first, from each no more than it can spare. */
async function shrink(
  before: Rollout,
  most: number,
  spareOf: (replicaSet: ReplicaSet) => number,
): Promise<Result<Scaled>> {
  let rollout = before;
  let left = most;
  for (const one of before.family.old.filter(isActiveSet)) {
    const count = Math.min(left, spareOf(one));
    if (count <= 0) continue;
    const result = await scaleSet(rollout, one, replicasOf(one) - count);
    if (!result.ok) return result;
    rollout = result.value.rollout;
    left -= count;
  }
  return ok({ rollout, scaled: left !== most });
}

/** All old Pods go before the first new one comes. Follows pkg/controller/deployment/recreate.go. */
export async function recreate(before: Rollout, pods: readonly Pod[]): Promise<Result<Scaled>> {
  const known = await withCurrent(before, false);
  if (!known.ok) return known;
  const emptied = await shrink(known.value, totalReplicas(known.value.family.old), replicasOf);
  if (!emptied.ok || emptied.value.scaled) return emptied;
  const { old, current } = known.value.family;
  const isOld = (pod: Pod): boolean =>
    !current || !pod.metadata?.ownerReferences?.some(({ uid }) => uid === current.metadata?.uid);
  if (totalStatus(old, 'replicas') > 0 || pods.some((pod) => isOld(pod) && !hasEnded(pod))) {
    return ok({ rollout: known.value, scaled: true });
  }
  const made = await withCurrent(known.value, true);
  if (!made.ok || !made.value.family.current) return made.ok ? ok({ rollout: made.value, scaled: false }) : made;
  const up = await scaleSet(made.value, made.value.family.current, replicasOf(made.value.deployment));
  return up.ok ? ok({ rollout: up.value.rollout, scaled: false }) : up;
}

const hasEnded = (pod: Pod): boolean => ['Succeeded', 'Failed'].some((phase) => phase === pod.status?.phase);
