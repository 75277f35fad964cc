import { asObject } from '../../../machinery/json/json.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { ok } from '../../../machinery/meta/result.ts';
import type { Result } from '../../../machinery/meta/result.ts';
import { controllerUser } from '../../client.ts';
import { follow } from '../../controller.ts';
import type { Controller, ControllerContext } from '../../controller.ts';
import { createWorkQueue, progressOf } from '../../work-queue.ts';
import { createEventRecorder } from '../event-recorder.ts';
import { generationOf, intOf, isDeleted, nameOf, namespaceOf, optionalInt, replicasOf, statusOf } from '../fields.ts';
import { followDependents, keyOfName, nameIn } from '../follow-pods.ts';
import type { ObjectName } from '../follow-pods.ts';
import { claim, controllerOf, isControlledBy } from '../ownership.ts';
import { pods } from '../pod-control.ts';
import { selectorOf } from '../replica-kinds.ts';
import { pathOf } from '../../served-resources.ts';
import { desiredOf, revisionOf } from './annotations.ts';
import { withCurrent } from './current-replica-set.ts';
import { deploymentStatus, isComplete } from './deployment-status.ts';
import { nextProgressCheck, pausedStatus, rolloutStatus } from './progress.ts';
import { scaleFamily } from './proportional-scale.ts';
import { allOf, familyOf, isActiveSet } from './replica-sets.ts';
import { askedRevision, rollBack } from './roll-back.ts';
import { deployments, replicaSetResource, writeStatus } from './rollout.ts';
import type { Rollout } from './rollout.ts';
import { recreate, rollOver } from './strategies.ts';
import type { ReplicaSet } from '../../../api/types/generated/apps-v1.ts';

/** Makes the ReplicaSets of Deployments and rolls out what changes. Follows pkg/controller/deployment/deployment_controller.go. */
export const deploymentController: Controller = (context) => {
  const { store, served, clock } = context;
  const client = context.clientFor(controllerUser('deployment-controller'));
  const recorder = createEventRecorder('deployment-controller', client, context);
  const sync = async (key: ObjectName): Promise<Result<unknown>> => {
    const deployment = store.get(deployments, key.namespace, key.name);
    const selector = deployment && selectorOf(deployment);
    if (!deployment || !selector || selector.isEmpty) return ok(undefined);
    const candidates = store
      .list(replicaSetResource, key.namespace)
      .filter((one) => isControlledBy(one, deployment) || !controllerOf(one));
    const claimed = await claim({ owner: deployment, selector, client, resource: replicaSetResource }, candidates);
    if (!claimed.ok) return claimed;
    const family = familyOf(deployment, claimed.value);
    const turned = await turn({ types: served.types, client, recorder, now: clock.now, deployment, family }, context);
    if (!turned.ok) return turned.status.code === 404 ? ok(undefined) : turned;
    const wait = nextProgressCheck(turned.value.deployment, clock.now());
    if (wait !== undefined) queue.addLater(key, wait);
    return turned;
  };
  const queue = createWorkQueue(keyOfName, sync, context);
  const owners = { kind: 'Deployment', resource: deployments, selectorOf };
  follow(context, deployments, ({ object }) => queue.add(nameIn(object)));
  followDependents(context, replicaSetResource, owners, queue.add);
  followLastPods(context, queue.add);
  return progressOf([queue.progress, recorder.progress]);
};

/** Follows syncDeployment. */
async function turn(rollout: Rollout, { store }: ControllerContext): Promise<Result<Rollout>> {
  const { deployment } = rollout;
  if (isDeleted(deployment)) return writeDeploymentStatus(rollout);
  const { paused: asksForRest, strategy } = asObject(deployment.spec);
  const isPaused = asksForRest === true;
  const paused = pausedStatus(deployment, isPaused, rollout.now());
  if (paused) return writeStatus(rollout, paused);
  if (isPaused) return resize(rollout, isPaused);
  const asked = askedRevision(deployment);
  if (asked !== undefined) return rollBack(rollout, asked);
  const known = await withCurrent(rollout, false);
  if (!known.ok) return known;
  if (isScaling(known.value)) return resize(known.value, false);
  const isRecreate = asObject(strategy).type === 'Recreate';
  const rolled = isRecreate
    ? await recreate(known.value, podsOf(known.value, store.list(pods, namespaceOf(deployment))))
    : await rollOver(known.value);
  if (!rolled.ok) return rolled;
  const { rollout: after, scaled } = rolled.value;
  if (!scaled && isComplete(after.deployment, statusOf(after.deployment))) {
    const cleaned = await cleanUp(after);
    if (!cleaned.ok) return cleaned;
  }
  return writeStatus(after, rolloutStatus(after.deployment, after.family, after.now()));
}

const writeDeploymentStatus = async (rollout: Rollout): Promise<Result<Rollout>> =>
  writeStatus(rollout, deploymentStatus(rollout.deployment, rollout.family, rollout.now()));

async function resize(rollout: Rollout, isPaused: boolean): Promise<Result<Rollout>> {
  const known = await withCurrent(rollout, false);
  if (!known.ok) return known;
  const scaled = await scaleFamily(known.value);
  if (!scaled.ok) return scaled;
  const cleaned = isPaused ? await cleanUp(scaled.value) : ok(undefined);
  return cleaned.ok ? writeDeploymentStatus(scaled.value) : cleaned;
}

/** Somebody asked for another number of Pods since the ReplicaSets were last scaled. */
const isScaling = ({ deployment, family }: Rollout): boolean =>
  allOf(family)
    .filter(isActiveSet)
    .some((one) => (desiredOf(one) ?? replicasOf(deployment)) !== replicasOf(deployment));

const podsOf = ({ family }: Rollout, all: readonly KubernetesObject[]): readonly KubernetesObject[] =>
  all.filter((pod) => allOf(family).some((one) => isControlledBy(pod, one)));

/** Deletes old ReplicaSets beyond the limit of the history, the earliest revisions first. Follows cleanupDeployment. */
async function cleanUp({ client, deployment, family }: Rollout): Promise<Result<unknown>> {
  const limit = optionalInt(deployment.spec?.revisionHistoryLimit) ?? 0x7fffffff;
  const living = family.old.filter((one) => !isDeleted(one));
  const byRevision = [...living].sort((a, b) => (revisionOf(a) ?? 0) - (revisionOf(b) ?? 0));
  const isEmpty = (one: ReplicaSet): boolean =>
    intOf(one.status?.replicas) === 0 &&
    replicasOf(one) === 0 &&
    generationOf(one) <= intOf(one.status?.observedGeneration);
  for (const one of byRevision.slice(0, Math.max(0, living.length - limit)).filter(isEmpty)) {
    const path = pathOf(replicaSetResource, namespaceOf(one), nameOf(one));
    const deleted = await client({ method: 'DELETE', path });
    if (!deleted.ok && deleted.status.code !== 404) return deleted;
  }
  return ok(undefined);
}

/** A Deployment that recreates waits for the last of its old Pods to go. Follows deletePod. */
function followLastPods(context: ControllerContext, add: (key: ObjectName) => void): void {
  follow(context, pods, ({ type, object }) => {
    const owner = type === 'removed' ? controllerOf(object) : undefined;
    if (owner?.kind !== 'ReplicaSet') return;
    const namespace = namespaceOf(object);
    const replicaSet = context.store.get(replicaSetResource, namespace, owner.name);
    const deployment = replicaSet && controllerOf(replicaSet);
    if (deployment?.kind === 'Deployment') add({ namespace, name: deployment.name });
  });
}
