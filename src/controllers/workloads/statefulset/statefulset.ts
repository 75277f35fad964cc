import type { StatefulSet, StatefulSetStatus } from '../../../api/types/generated/apps-v1.ts';
import type { Pod } from '../../../api/types/generated/core-v1.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import { ok, type Result } from '../../../machinery/meta/result.ts';
import { type ApiClient, controllerUser } from '../../client.ts';
import { type Controller, type ControllerContext, followResource } from '../../controller.ts';
import { coreV1 } from '../../served-resources.ts';
import { combineProgress } from '../../work-queue.ts';
import { createEventRecorder } from '../event-recorder.ts';
import {
  compactStatus,
  generationOf,
  intOrZero,
  isDeleted,
  minReadySecondsOf,
  nameOf,
  namespaceOf,
  replicasOf,
  statusOf,
} from '../fields.ts';
import { followDependents, toObjectName, type ObjectName, syncObjects } from '../follow-pods.ts';
import { labelOf, ownRevisions } from '../history/revisions.ts';
import { claim } from '../ownership.ts';
import { pods, slowStartOver } from '../pod-control.ts';
import { isAvailable, nextAvailability } from '../pod-state.ts';
import { appsV1, selectorOf } from '../replica-kinds.ts';
import { putStatus, ignoreNotFound } from '../../write-object.ts';
import { isParallel, parentAndOrdinal, revisionLabel } from './stateful-pod.ts';
import { isCreated, isRunningReady, planSet, type StatefulSetStep } from './plan.ts';
import { createSetControl } from './set-control.ts';
import { type SetRevisions, setRevisions, truncateHistory } from './set-revisions.ts';

interface SetStatusInput {
  readonly pods: readonly Pod[];
  /** How many of them this sync deletes to replace them. */
  readonly outdated: number;
  readonly currentRevision: string;
  readonly updateRevision: string;
  readonly collisionCount: number;
  readonly now: number;
}

/** Follows computeReplicaStatus and completeRollingUpdate of pkg/controller/statefulset. */
export function setStatus(set: StatefulSet, seen: SetStatusInput): StatefulSetStatus {
  const { pods, outdated, currentRevision, updateRevision, collisionCount, now } = seen;
  const created = pods.filter(isCreated);
  const ready = created.filter(isRunningReady);
  const living = (revision: string): number =>
    created.filter((pod) => !isDeleted(pod) && labelOf(pod, revisionLabel) === revision).length;
  const updatedReplicas = living(updateRevision);
  const isComplete =
    set.spec?.updateStrategy?.type === 'RollingUpdate' &&
    [updatedReplicas, ready.length, created.length].every((count) => count === replicasOf(set));
  return compactStatus<StatefulSetStatus>(
    {
      observedGeneration: generationOf(set),
      replicas: created.length,
      readyReplicas: ready.length,
      currentReplicas: isComplete ? updatedReplicas : living(currentRevision) - outdated,
      updatedReplicas,
      currentRevision: isComplete ? updateRevision : currentRevision,
      updateRevision,
      collisionCount,
      availableReplicas: ready.filter((pod) => isAvailable(pod, minReadySecondsOf(set), now)).length,
    },
    ['replicas', 'availableReplicas', 'collisionCount'],
  );
}

const comparedFields = [
  'replicas',
  'currentReplicas',
  'readyReplicas',
  'updatedReplicas',
  'currentRevision',
  'availableReplicas',
  'updateRevision',
] as const;

/** Is the new status worth writing? A collision alone is not. Follows inconsistentStatus. */
export function isChanged(set: StatefulSet, status: StatefulSetStatus): boolean {
  const before = statusOf(set);
  return (
    intOrZero(status.observedGeneration) > intOrZero(before.observedGeneration) ||
    comparedFields.some(
      (field) => (status[field] ?? 0) !== (before[field] ?? (typeof status[field] === 'string' ? '' : 0)),
    )
  );
}

const statefulSets = appsV1('statefulsets');

/** Keeps Pods with names and claims of their own, in order. Follows pkg/controller/statefulset/stateful_set.go. */
export const statefulSetController: Controller = (context) => {
  const { store, clock } = context;
  const client = context.clientFor(controllerUser('statefulset-controller'));
  const recorder = createEventRecorder('statefulset-controller', client, context);
  const executeStep = createSetControl({ client, store, recorder });
  const queue = syncObjects(context, statefulSets, async (set: StatefulSet, key) => {
    const selector = selectorOf(set);
    if (!selector) return ok(undefined);
    const revisions = await ownRevisions({ owner: set, selector, client, store });
    if (!revisions.ok) return revisions;
    const members = await claim({ owner: set, selector, client, store, resource: pods, isCandidate: isMemberOf(set) });
    if (!members.ok) return members;
    const known = await setRevisions(set, revisions.value, { client, store });
    if (!known.ok) return known;
    const now = clock.now();
    const { revisionPair } = known.value;
    const plan = planSet(set, members.value, revisionPair, now);
    const executed = await executeSteps(plan.steps, isParallel(set), (step) => executeStep(set, step));
    const seen = { ...known.value, pods: members.value, outdated: executed.ok ? plan.outdated : 0, now };
    const written = await writeStatus(set, seen, client);
    const wait = nextAvailability(members.value, minReadySecondsOf(set), now);
    if (wait !== undefined) queue.addAfter(key, wait);
    const truncated = await truncateHistory(
      set,
      { revisions: revisions.value, pods: members.value, revisionPair },
      client,
    );
    return [executed, written].find((result) => !result.ok) ?? truncated;
  });
  followDependents(context, pods, { kind: 'StatefulSet', resource: statefulSets, selectorOf }, queue.add);
  followClaims(context, queue.add);
  return combineProgress([queue.progress, recorder.progress]);
};

async function writeStatus(
  set: StatefulSet,
  { revisionPair, ...seen }: SetRevisions & Pick<SetStatusInput, 'pods' | 'outdated' | 'now'>,
  client: ApiClient,
): Promise<Result<unknown>> {
  const { current, update } = revisionPair;
  const status = setStatus(set, { ...seen, currentRevision: current.revision, updateRevision: update.revision });
  if (!isChanged(set, status)) return ok(undefined);
  return ignoreNotFound(await putStatus(client, statefulSets, set, status));
}

const executeSteps = async (
  steps: readonly StatefulSetStep[],
  parallel: boolean,
  take: (step: StatefulSetStep) => Promise<Result<unknown>>,
): Promise<Result<unknown>> => {
  if (parallel) return slowStartOver(steps, take);
  for (const step of steps) {
    const taken = await take(step);
    if (!taken.ok) return taken;
  }
  return ok(undefined);
};

/** Adopts only Pods whose names belong to this set. Follows getPodsForStatefulSet. */
const isMemberOf =
  (set: StatefulSet) =>
  (pod: Pod): boolean =>
    parentAndOrdinal(pod)?.parent === nameOf(set);

/** A Pod may wait for the deletion of a claim. */
function followClaims(context: ControllerContext, add: (key: ObjectName) => void): void {
  followResource(context, coreV1('persistentvolumeclaims'), ({ type, object }) => {
    if (type !== 'removed') return;
    for (const set of context.store.list(statefulSets, namespaceOf(object))) {
      if ((metadataOf(object).name ?? '').includes(`-${nameOf(set)}-`)) add(toObjectName(set));
    }
  });
}
