import type { ReplicaSetStatus } from '../../api/types/generated/apps-v1.ts';
import type { Pod } from '../../api/types/generated/core-v1.ts';
import { asObject, type JsonObject } from '../../machinery/json/json.ts';
import { type KubernetesObject, metadataOf } from '../../machinery/meta/object.ts';
import { ok, type Result } from '../../machinery/meta/result.ts';
import { formatTime } from '../../machinery/meta/time.ts';
import { controllerUser } from '../client.ts';
import type { Controller, ControllerStore } from '../controller.ts';
import { combineProgress } from '../work-queue.ts';
import { updateStatus, ignoreNotFound, ignoreTerminatingNamespace } from '../write-object.ts';
import {
  conditionsOf,
  findCondition,
  withCondition,
  withoutCondition,
  compactStatus,
  generationOf,
  isDeleted,
  minReadySecondsOf,
  namespaceOf,
  replicasOf,
} from './fields.ts';
import { sortForDeletion } from './deletion-order.ts';
import { createEventRecorder } from './event-recorder.ts';
import { followDependents, syncObjects } from './follow-pods.ts';
import { claim, controllerOf, isControlledBy } from './ownership.ts';
import { createPodControl, type PodControl, podFromTemplate, pods, slowStart } from './pod-control.ts';
import { isActivePod, isAvailable, isReady, isTerminating, nextAvailability } from './pod-state.ts';
import type { ReplicaKind, ReplicaOwner } from './replica-kinds.ts';

/** The maximum Pods per sync. */
const burst = 500;

/** From this many replicas on, Pod changes are batched for this many milliseconds. */
const batchFromReplicas = 50;
const batchDelayMs = 10;

/** Keeps `spec.replicas` Pods of a template. Follows pkg/controller/replicaset/replica_set.go. */
export const replicaController =
  (kind: ReplicaKind): Controller =>
  (context) => {
    const { store, clock } = context;
    const client = context.clientFor(controllerUser(kind.account));
    const recorder = createEventRecorder(kind.account, client, context);
    const control = createPodControl(client, recorder);
    const queue = syncObjects(context, kind.resource, async (owner: ReplicaOwner, key) => {
      const selector = kind.selectorOf(owner);
      if (!selector) return ok(undefined);
      const isEnding = (pod: Pod): boolean => isTerminating(pod) && isControlledBy(pod, owner);
      const terminating = store.list(pods, key.namespace).filter(isEnding).length;
      const claimed = await claim({ owner, selector, client, store, resource: pods, isCandidate: isActivePod });
      if (!claimed.ok) return claimed;
      const active = claimed.value;
      const managed = isDeleted(owner)
        ? ok(undefined)
        : await manageReplicas({ store, control, now: clock.now() }, owner, active);
      const now = clock.now();
      const seen = { active, terminating: kind.countsTerminating ? terminating : undefined, managed, now };
      const status = replicaStatus(owner, seen);
      const written = await updateStatus(client, kind.resource, owner, status);
      if (!written.ok) return ignoreNotFound(written);
      const wait = nextAvailability(active, minReadySecondsOf(owner), now);
      if (wait !== undefined) queue.addAfter(key, wait);
      return managed;
    });
    followDependents(context, pods, kind, (name) => {
      const owner = store.get(kind.resource, name.namespace, name.name);
      if (owner && replicasOf(owner) > batchFromReplicas) queue.addSoon(name, batchDelayMs);
      else queue.add(name);
    });
    return combineProgress([queue.progress, recorder.progress]);
  };

interface ManagePorts {
  readonly store: ControllerStore;
  readonly control: PodControl;
  readonly now: number;
}

async function manageReplicas(
  { store, control, now }: ManagePorts,
  owner: ReplicaOwner,
  active: readonly KubernetesObject[],
): Promise<Result<unknown>> {
  const missing = replicasOf(owner) - active.length;
  if (missing > 0) {
    const pod = podFromTemplate(owner, asObject(owner.spec?.template));
    return slowStart(Math.min(missing, burst), async () =>
      ignoreTerminatingNamespace(await control.create(owner, pod)),
    );
  }
  if (missing === 0) return ok(undefined);
  const toDelete = sortForDeletion(active, indirectlyRelatedPods(store, owner), now).slice(
    0,
    Math.min(-missing, burst),
  );
  const deletions = await Promise.all(toDelete.map((pod) => control.delete(owner, pod)));
  return deletions.find((deletion) => !deletion.ok) ?? ok(undefined);
}

/** The Pods of all owners with the same controller. Follows getIndirectlyRelatedPods. */
function indirectlyRelatedPods(store: ControllerStore, owner: KubernetesObject): readonly KubernetesObject[] {
  const namespace = namespaceOf(owner);
  const family = controllerOf(owner)?.uid;
  const resource = owner.kind === 'ReplicaSet' ? { group: 'apps', resource: 'replicasets' } : undefined;
  const siblings =
    family === undefined || resource === undefined
      ? [owner]
      : store.list(resource, namespace).filter((one) => controllerOf(one)?.uid === family);
  return store.list(pods, namespace).filter((pod) => siblings.some((sibling) => isControlledBy(pod, sibling)));
}

interface SyncResult {
  readonly active: readonly KubernetesObject[];
  /** undefined where they do not count. */
  readonly terminating: number | undefined;
  readonly managed: Result<unknown>;
  readonly now: number;
}

/** Follows pkg/controller/replicaset/replica_set_utils.go calculateStatus. */
function replicaStatus(owner: ReplicaOwner, { active, terminating, managed, now }: SyncResult): ReplicaSetStatus {
  const labels = Object.entries(asObject(owner.spec?.template?.metadata?.labels));
  const isFullyLabelled = (pod: Pod): boolean =>
    labels.every(([key, value]) => metadataOf(pod).labels?.[key] === value);
  const minReadySeconds = minReadySecondsOf(owner);
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

/** A failure keeps its first message. */
function replicaConditions(
  owner: ReplicaOwner,
  { active, managed, now }: Omit<SyncResult, 'terminating'>,
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
