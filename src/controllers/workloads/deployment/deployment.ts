import { isTerminal } from '../pod-state.ts';
import type { Deployment, ReplicaSet } from '../../../api/types/generated/apps-v1.ts';
import type { Pod, PodTemplateSpec } from '../../../api/types/generated/core-v1.ts';
import { asObject } from '../../../machinery/json/json.ts';
import { type KubernetesObject, metadataOf, withMetadata } from '../../../machinery/meta/object.ts';
import { ok, type Result } from '../../../machinery/meta/result.ts';
import { semanticEqual } from '../../../machinery/meta/semantic-equal.ts';
import { controllerUser } from '../../client.ts';
import { type Controller, type ControllerContext, followResource } from '../../controller.ts';
import { combineProgress } from '../../work-queue.ts';
import { createEventRecorder } from '../event-recorder.ts';
import {
  generationOf,
  intOrZero,
  isDeleted,
  nameOf,
  namespaceOf,
  optionalInt,
  replicasOf,
  statusOf,
} from '../fields.ts';
import { followDependents, type ObjectName, syncObjects } from '../follow-pods.ts';
import { claim, controllerOf, isControlledBy } from '../ownership.ts';
import { pods } from '../pod-control.ts';
import { selectorOf } from '../replica-kinds.ts';
import { putObject, removeObject, ignoreNotFound } from '../../write-object.ts';
import { annotationsAfterRollback, desiredReplicas, revisionOf, rollbackAnnotation } from './annotations.ts';
import { newReplicaCount, getNewReplicaSet } from './current-replica-set.ts';
import { deploymentStatus, isComplete } from './deployment-status.ts';
import {
  maxUnavailable,
  allReplicaSets,
  groupReplicaSets,
  isActiveSet,
  templateOf,
  totalReplicas,
  totalStatus,
  withoutHash,
} from './replica-sets.ts';
import { nextProgressCheck, pausedStatus, rolloutStatus } from './progress.ts';
import { scaleFamily } from './proportional-scale.ts';
import {
  deployments,
  replicaSetResource,
  type Rollout,
  type ScaleResult,
  scaleReplicaSet,
  writeStatus,
} from './rollout.ts';

/**
 * Creates the ReplicaSets of Deployments and rolls out changes. Follows
 * pkg/controller/deployment/deployment_controller.go.
 */
export const deploymentController: Controller = (context) => {
  const { store, served, clock } = context;
  const client = context.clientFor(controllerUser('deployment-controller'));
  const recorder = createEventRecorder('deployment-controller', client, context);
  const queue = syncObjects(context, deployments, async (deployment: Deployment, key) => {
    const selector = selectorOf(deployment);
    if (!selector || selector.isEmpty) return ok(undefined);
    const claimed = await claim({ owner: deployment, selector, client, store, resource: replicaSetResource });
    if (!claimed.ok) return claimed;
    const family = groupReplicaSets(deployment, claimed.value);
    const synced = await syncRollout(
      { types: served.types, client, recorder, now: clock.now, deployment, family },
      context,
    );
    if (!synced.ok) return ignoreNotFound(synced);
    const wait = nextProgressCheck(synced.value.deployment, clock.now());
    if (wait !== undefined) queue.addAfter(key, wait);
    return synced;
  });
  followDependents(context, replicaSetResource, { kind: 'Deployment', resource: deployments, selectorOf }, queue.add);
  followLastPods(context, queue.add);
  return combineProgress([queue.progress, recorder.progress]);
};

/** Follows syncDeployment. */
async function syncRollout(rollout: Rollout, { store }: ControllerContext): Promise<Result<Rollout>> {
  const { deployment } = rollout;
  if (isDeleted(deployment)) return writeDeploymentStatus(rollout);
  const { paused: wantsPause, strategy } = asObject(deployment.spec);
  const isPaused = wantsPause === true;
  const paused = pausedStatus(deployment, isPaused, rollout.now());
  if (paused) return writeStatus(rollout, paused);
  if (isPaused) return scaleOutsideRollout(rollout, isPaused);
  const target = rollbackRevision(deployment);
  if (target !== undefined) return rollBack(rollout, target);
  const current = await getNewReplicaSet(rollout, false);
  if (!current.ok) return current;
  if (isScaling(current.value)) return scaleOutsideRollout(current.value, false);
  const isRecreate = asObject(strategy).type === 'Recreate';
  const rolled = isRecreate
    ? await rolloutRecreate(current.value, deploymentPods(current.value, store.list(pods, namespaceOf(deployment))))
    : await rolloutRolling(current.value);
  if (!rolled.ok) return rolled;
  const { rollout: after, scaled } = rolled.value;
  if (!scaled && isComplete(after.deployment, statusOf(after.deployment))) {
    const cleaned = await cleanupDeployment(after);
    if (!cleaned.ok) return cleaned;
  }
  return writeStatus(after, rolloutStatus(after.deployment, after.family, after.now()));
}

const writeDeploymentStatus = async (rollout: Rollout): Promise<Result<Rollout>> =>
  writeStatus(rollout, deploymentStatus(rollout.deployment, rollout.family, rollout.now()));

async function scaleOutsideRollout(rollout: Rollout, isPaused: boolean): Promise<Result<Rollout>> {
  const known = await getNewReplicaSet(rollout, false);
  if (!known.ok) return known;
  const scaled = await scaleFamily(known.value);
  if (!scaled.ok) return scaled;
  const cleaned = isPaused ? await cleanupDeployment(scaled.value) : ok(undefined);
  return cleaned.ok ? writeDeploymentStatus(scaled.value) : cleaned;
}

/** The replicas changed since the ReplicaSets were last scaled. */
const isScaling = ({ deployment, family }: Rollout): boolean =>
  allReplicaSets(family)
    .filter(isActiveSet)
    .some((one) => (desiredReplicas(one) ?? replicasOf(deployment)) !== replicasOf(deployment));

const deploymentPods = ({ family }: Rollout, all: readonly KubernetesObject[]): readonly KubernetesObject[] =>
  all.filter((pod) => allReplicaSets(family).some((one) => isControlledBy(pod, one)));

/** Deletes old ReplicaSets beyond the revision history limit, earliest first. Follows cleanupDeployment. */
async function cleanupDeployment({ client, deployment, family }: Rollout): Promise<Result<unknown>> {
  const limit = optionalInt(deployment.spec?.revisionHistoryLimit) ?? 0x7fffffff;
  const living = family.old.filter((one) => !isDeleted(one));
  const byRevision = [...living].sort((a, b) => (revisionOf(a) ?? 0) - (revisionOf(b) ?? 0));
  const isEmpty = (one: ReplicaSet): boolean =>
    intOrZero(one.status?.replicas) === 0 &&
    replicasOf(one) === 0 &&
    generationOf(one) <= intOrZero(one.status?.observedGeneration);
  for (const one of byRevision.slice(0, Math.max(0, living.length - limit)).filter(isEmpty)) {
    const deleted = await removeObject(client, replicaSetResource, one);
    if (!deleted.ok) return deleted;
  }
  return ok(undefined);
}

/** Strategy Recreate waits for the last old Pod. Follows deletePod. */
function followLastPods(context: ControllerContext, add: (key: ObjectName) => void): void {
  followResource(context, pods, ({ type, object }) => {
    const owner = type === 'removed' ? controllerOf(object) : undefined;
    if (owner?.kind !== 'ReplicaSet') return;
    const namespace = namespaceOf(object);
    const replicaSet = context.store.get(replicaSetResource, namespace, owner.name);
    const deployment = replicaSet && controllerOf(replicaSet);
    if (deployment?.kind === 'Deployment') add({ namespace, name: deployment.name });
  });
}

/**
 * The revision of a requested rollback, 0 for the previous one; undefined for none. The annotation replaces
 * `rollbackTo` of extensions/v1beta1.
 */
function rollbackRevision(deployment: Deployment): number | undefined {
  const text = metadataOf(deployment).annotations?.[rollbackAnnotation] ?? '';
  return /^[+-]?\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** Rolls back to an earlier template, or reports why it cannot. Follows pkg/controller/deployment/rollback.go. */
async function rollBack(before: Rollout, target: number): Promise<Result<Rollout>> {
  const known = await getNewReplicaSet(before, true);
  if (!known.ok) return known;
  const { deployment, family, recorder } = known.value;
  const revision = target === 0 ? lastRevision(allReplicaSets(family)) : target;
  const goal = allReplicaSets(family).find((one) => revisionOf(one) === revision);
  const name = JSON.stringify(nameOf(deployment));
  if (revision === 0 || !goal) {
    const message = revision === 0 ? 'Unable to find last revision.' : 'Unable to find the revision to rollback to.';
    recorder.event(deployment, 'Warning', 'DeploymentRollbackRevisionNotFound', message);
    return updateDeployment(known.value, deployment);
  }
  const template = withoutHash(templateOf(goal));
  if (semanticEqual(withoutHash(templateOf(deployment)), template)) {
    const message = `The rollback revision contains the same template as current deployment ${name}`;
    recorder.event(deployment, 'Warning', 'DeploymentRollbackTemplateUnchanged', message);
    return updateDeployment(known.value, deployment);
  }
  const written = await updateDeployment(known.value, withTemplate(deployment, template, goal));
  if (written.ok) {
    recorder.event(
      deployment,
      'Normal',
      'DeploymentRollback',
      `Rolled back deployment ${name} to revision ${revision}`,
    );
  }
  return written;
}

const withTemplate = (deployment: Deployment, template: PodTemplateSpec, goal: ReplicaSet): KubernetesObject =>
  withMetadata(
    { ...deployment, spec: { ...asObject(deployment.spec), template } },
    { annotations: annotationsAfterRollback(deployment, goal) },
  );

/** Removes the request in any case. */
async function updateDeployment(rollout: Rollout, deployment: Deployment): Promise<Result<Rollout>> {
  const { [rollbackAnnotation]: _revision, ...annotations } = metadataOf(deployment).annotations ?? {};
  const written = await putObject(rollout.client, deployments, withMetadata(deployment, { annotations }));
  return written.ok ? ok({ ...rollout, deployment: written.value }) : written;
}

/** The previous revision; 0 when there is none. Follows LastRevision of pkg/controller/deployment/util. */
function lastRevision(replicaSets: readonly ReplicaSet[]): number {
  const [, second = 0] = replicaSets.map((one) => revisionOf(one) ?? 0).sort((a, b) => b - a);
  return second;
}

/** Scales up within maxSurge, then down within maxUnavailable. Follows pkg/controller/deployment/rolling.go. */
async function rolloutRolling(before: Rollout): Promise<Result<ScaleResult>> {
  const created = await getNewReplicaSet(before, true);
  if (!created.ok) return created;
  const { deployment, family } = created.value;
  const { current } = family;
  if (!current) return ok({ rollout: created.value, scaled: false });
  const own = replicasOf(current);
  const desired = replicasOf(deployment);
  const size = own > desired ? desired : newReplicaCount(deployment, totalReplicas(allReplicaSets(family)), own);
  const up = await scaleReplicaSet(created.value, current, size);
  if (!up.ok || up.value.scaled) return up;
  const down = await scaleDownOldReplicaSets(created.value, current);
  return down.ok ? down : ok({ rollout: created.value, scaled: false });
}

async function scaleDownOldReplicaSets(rollout: Rollout, current: ReplicaSet): Promise<Result<ScaleResult>> {
  const { deployment, family } = rollout;
  const min = replicasOf(deployment) - maxUnavailable(deployment);
  const unavailable = replicasOf(current) - intOrZero(current.status?.availableReplicas);
  const removable = totalReplicas(allReplicaSets(family)) - min - unavailable;
  if (totalReplicas(family.old) === 0 || removable <= 0) return ok({ rollout, scaled: false });
  const cleaned = await scaleDown(
    rollout,
    removable,
    (one) => replicasOf(one) - intOrZero(one.status?.availableReplicas),
  );
  if (!cleaned.ok) return cleaned;
  const available = totalStatus(allReplicaSets(cleaned.value.rollout.family), 'availableReplicas');
  const shrunk = await scaleDown(cleaned.value.rollout, available - min, replicasOf);
  return shrunk.ok ? ok({ ...shrunk.value, scaled: cleaned.value.scaled || shrunk.value.scaled }) : shrunk;
}

/** Removes up to `max` Pods from old ReplicaSets, oldest first. */
async function scaleDown(
  before: Rollout,
  max: number,
  removableOf: (replicaSet: ReplicaSet) => number,
): Promise<Result<ScaleResult>> {
  let rollout = before;
  let left = max;
  for (const one of before.family.old.filter(isActiveSet)) {
    const count = Math.min(left, removableOf(one));
    if (count <= 0) continue;
    const result = await scaleReplicaSet(rollout, one, replicasOf(one) - count);
    if (!result.ok) return result;
    rollout = result.value.rollout;
    left -= count;
  }
  return ok({ rollout, scaled: left !== max });
}

/** Removes all old Pods before the first new one. Follows pkg/controller/deployment/recreate.go. */
async function rolloutRecreate(before: Rollout, pods: readonly Pod[]): Promise<Result<ScaleResult>> {
  const known = await getNewReplicaSet(before, false);
  if (!known.ok) return known;
  const emptied = await scaleDown(known.value, totalReplicas(known.value.family.old), replicasOf);
  if (!emptied.ok || emptied.value.scaled) return emptied;
  const { old, current } = known.value.family;
  const isOld = (pod: Pod): boolean =>
    !current || !pod.metadata?.ownerReferences?.some(({ uid }) => uid === current.metadata?.uid);
  if (totalStatus(old, 'replicas') > 0 || pods.some((pod) => isOld(pod) && !isTerminal(pod))) {
    return ok({ rollout: known.value, scaled: true });
  }
  const created = await getNewReplicaSet(known.value, true);
  if (!created.ok || !created.value.family.current)
    return created.ok ? ok({ rollout: created.value, scaled: false }) : created;
  const up = await scaleReplicaSet(created.value, created.value.family.current, replicasOf(created.value.deployment));
  return up.ok ? ok({ rollout: up.value.rollout, scaled: false }) : up;
}
