import { asList, asObject, type JsonObject } from '../machinery/json/json.ts';
import { type KubernetesObject, metadataOf } from '../machinery/meta/object.ts';
import { ok, type Result } from '../machinery/meta/result.ts';
import { formatTime } from '../machinery/meta/time.ts';
import { patchObject, removeObject, ignoreNotFound } from './write-object.ts';
import { type ApiClient, controllerUser, nodeUser } from './client.ts';
import { type Controller, type ControllerStore, followResource } from './controller.ts';
import { coreV1 } from './served-resources.ts';
import { createWorkQueue } from './work-queue.ts';
import { conditionsOf, findCondition, generationOf, isDeleted, nameOf } from './workloads/fields.ts';
import { isTerminal, nodeOfPod, millisecondsOf } from './workloads/pod-state.ts';
import type { Node, Pod } from '../api/types/generated/core-v1.ts';
import { type ObjectName, syncObjects } from './workloads/follow-pods.ts';

const pods = coreV1('pods');
const nodes = coreV1('nodes');

/** Milliseconds between two checks, and how long a node may be missing. */
const period = 20_000;
const quarantine = 40_000;
const maxTerminated = 12_500;

/**
 * Removes Pods of missing nodes, deleted Pods without a working node, and the oldest of too many terminated ones.
 * Checks some time after a relevant change. Follows pkg/controller/podgc/gc_controller.go.
 */
export const podGcController: Controller = (context) => {
  const { store, clock } = context;
  const client = context.clientFor(controllerUser('pod-garbage-collector'));
  const missingSince = new Map<string, number>();
  const sync = async (): Promise<Result<unknown>> => {
    const all = store.list(pods);
    const now = clock.now();
    updateMissingNodes(all, { store, missingSince, now });
    if (missingSince.size > 0) queue.addAfter('', period);
    const isOrphan = (pod: Pod): boolean => now - (missingSince.get(nodeOfPod(pod)) ?? now) >= quarantine;
    for (const pod of all) {
      const condition = isOrphan(pod) ? nodeMissingCondition : undefined;
      if (!condition && !isOrphaned(pod, store)) continue;
      const removed = await markFailedAndDelete(
        client,
        pod,
        condition && { ...condition, lastTransitionTime: formatTime(now) },
      );
      if (!removed.ok) return removed;
    }
    for (const pod of excessTerminatedPods(all)) await markFailedAndDelete(client, pod, undefined);
    return ok(undefined);
  };
  const queue = createWorkQueue((key: string) => key, sync, context);
  let terminated = 0;
  followResource(context, pods, (change) => {
    if (change.type !== 'created' && isTerminal(change.type === 'updated' ? change.previous : change.object))
      terminated -= 1;
    if (change.type === 'removed') return;
    if (isTerminal(change.object)) terminated += 1;
    const node = nodeOfPod(change.object);
    const isLost = node !== '' && !store.get(nodes, '', node);
    if (isLost || terminated > maxTerminated || isOrphaned(change.object, store)) queue.addAfter('', period);
  });
  followResource(context, nodes, ({ type, object }) => {
    if (type === 'removed' || isOutOfService(object)) queue.addAfter('', period);
  });
  return queue.progress;
};

interface MissingNodes {
  readonly store: ControllerStore;
  readonly missingSince: Map<string, number>;
  readonly now: number;
}

/** Records since when the nodes of Pods are missing. */
function updateMissingNodes(all: readonly KubernetesObject[], { store, missingSince, now }: MissingNodes): void {
  const missing = new Set(all.map(nodeOfPod).filter((node) => node !== '' && !store.get(nodes, '', node)));
  for (const node of missingSince.keys()) if (!missing.has(node)) missingSince.delete(node);
  for (const node of missing) if (!missingSince.has(node)) missingSince.set(node, now);
}

/** A deleted Pod whose node cannot remove it. */
function isOrphaned(pod: Pod, store: ControllerStore): boolean {
  if (!isDeleted(pod)) return false;
  const name = nodeOfPod(pod);
  const node = store.get(nodes, '', name);
  return name === '' || (node !== undefined && isOutOfService(node));
}

const isOutOfService = (node: Node): boolean =>
  findCondition(conditionsOf(node), 'Ready')?.status !== 'True' &&
  asList(node.spec?.taints).some((taint) => asObject(taint).key === 'node.kubernetes.io/out-of-service');

/** Evicted ones first, then the oldest. */
function excessTerminatedPods(all: readonly KubernetesObject[]): readonly KubernetesObject[] {
  const ended = all.filter(isTerminal);
  if (ended.length <= maxTerminated) return [];
  const isEvicted = (pod: Pod): boolean => pod.status?.reason === 'Evicted';
  const ageOf = (pod: Pod): string => `${metadataOf(pod).creationTimestamp ?? ''} ${nameOf(pod)}`;
  return ended
    .toSorted((a, b) => Number(isEvicted(b)) - Number(isEvicted(a)) || (ageOf(a) < ageOf(b) ? -1 : 1))
    .slice(0, ended.length - maxTerminated);
}

const nodeMissingCondition = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'DeletionByPodGC',
  message: 'PodGC: node no longer exists',
};

async function markFailedAndDelete(
  client: ApiClient,
  pod: Pod,
  condition: JsonObject | undefined,
): Promise<Result<unknown>> {
  if (!isTerminal(pod)) {
    const { uid = '' } = metadataOf(pod);
    const observedGeneration = generationOf(pod);
    const conditions = condition ? { conditions: [{ ...condition, observedGeneration }] } : {};
    const body = { metadata: { uid }, status: { ...conditions, observedGeneration, phase: 'Failed' } };
    const type = 'strategic-merge-patch';
    const failed = await patchObject(client, pods, pod, { type, body, subresource: '/status' });
    if (!failed.ok) return ignoreNotFound(failed);
  }
  return removeObject(client, pods, pod, { gracePeriodSeconds: 0 });
}

/**
 * Removes pods after their grace period in place of a kubelet. Follows pkg/kubelet/status/status_manager.go syncPod
 * (rule PATH-42).
 */
export const podTerminator: Controller = (context) => {
  const remove = async (pod: Pod, key: ObjectName): Promise<Result<unknown>> => {
    const due = gracePeriodEnd(pod);
    if (due === undefined) return ok(undefined);
    const wait = due - context.clock.now();
    if (wait > 0) return ok(queue.addAfter(key, wait));
    const { uid = '' } = metadataOf(pod);
    const client = context.clientFor(nodeUser(nodeOfPod(pod)));
    return removeObject(client, pods, pod, { gracePeriodSeconds: 0, preconditions: { uid } });
  };
  const queue = syncObjects(context, pods, remove, (pod) => gracePeriodEnd(pod) !== undefined);
  return queue.progress;
};

/** The end of the grace period of a bound pod, in milliseconds since 1970; undefined for other pods. */
function gracePeriodEnd(pod: Pod): number | undefined {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadataOf(pod);
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === 0) return undefined;
  if (nodeOfPod(pod) === '') return undefined;
  return millisecondsOf(deletionTimestamp);
}
