import { nodeOfPod } from './workloads/pod-state.ts';
import { asList, type JsonObject } from '../machinery/json/json.ts';
import { sameJson } from '../machinery/json/json-equal.ts';
import { metadataOf } from '../machinery/meta/object.ts';
import { ok, type Result } from '../machinery/meta/result.ts';
import { formatTime } from '../machinery/meta/time.ts';
import { patchObject, removeObject, ignoreNotFound } from './write-object.ts';
import { type ApiClient, controllerUser } from './client.ts';
import { type Controller, followResource } from './controller.ts';
import { coreV1 } from './served-resources.ts';
import { createWorkQueue, combineProgress } from './work-queue.ts';
import { tolerates } from './workloads/daemonset/node-fit.ts';
import { createEventRecorder } from './workloads/event-recorder.ts';
import { generationOf, nameOf } from './workloads/fields.ts';
import { queueKey, toObjectName, type ObjectName } from './workloads/follow-pods.ts';
import type { Node, Pod } from '../api/types/generated/core-v1.ts';

const pods = coreV1('pods');
const nodes = coreV1('nodes');

/**
 * Deletes Pods from nodes with NoExecute taints, at once or after their tolerationSeconds. A deadline stays until the
 * Pod may stay or is removed. Follows pkg/controller/tainteviction/taint_eviction.go.
 */
export const taintEviction: Controller = (context) => {
  const { store, clock } = context;
  const client = context.clientFor(controllerUser('node-controller'));
  const recorder = createEventRecorder('taint-eviction-controller', client, context);
  /** The deadlines of Pods by namespace and name. */
  const evictionTimes = new Map<string, number>();
  const recordEvent = ({ namespace, name }: ObjectName, what: string): void => {
    const about = { kind: 'Pod', apiVersion: 'v1', metadata: { namespace, name } };
    recorder.event(about, 'Normal', 'TaintManagerEviction', `${what} Pod ${namespace}/${name}`);
  };
  const cancel = (key: ObjectName): void => {
    if (evictionTimes.delete(queueKey(key))) recordEvent(key, 'Cancelling deletion of');
  };
  const evictNow = async (key: ObjectName, pod: Pod): Promise<Result<unknown>> => {
    recordEvent(key, 'Marking for deletion');
    return evict(client, pod, formatTime(clock.now()));
  };
  const sync = async (key: ObjectName): Promise<Result<unknown>> => {
    const pod = store.get(pods, key.namespace, key.name);
    if (!pod) return ok(cancel(key));
    const due = evictionTimes.get(queueKey(key));
    if (due !== undefined && due <= clock.now()) {
      evictionTimes.delete(queueKey(key));
      return evictNow(key, pod);
    }
    const node = store.get(nodes, '', nodeOfPod(pod));
    if (!node) return ok(undefined);
    const wait = minTolerationMs(pod, node);
    if (wait === Infinity || wait === 0) cancel(key);
    if (wait === 0) return evictNow(key, pod);
    if (wait === Infinity || due !== undefined) return ok(undefined);
    evictionTimes.set(queueKey(key), clock.now() + wait);
    return ok(queue.addAfter(key, wait));
  };
  const queue = createWorkQueue(queueKey, sync, context);
  followResource(context, pods, (change) => {
    const isSame = change.type === 'updated' && hasSamePlacement(change.previous, change.object);
    if (nodeOfPod(change.object) !== '' && !isSame) queue.add(toObjectName(change.object));
  });
  followResource(context, nodes, (change) => {
    const before = change.type === 'updated' ? noExecuteTaints(change.previous) : [];
    if (change.type === 'removed' || sameJson(before, noExecuteTaints(change.object))) return;
    for (const pod of store.list(pods)) if (nodeOfPod(pod) === nameOf(change.object)) queue.add(toObjectName(pod));
  });
  return combineProgress([queue.progress, recorder.progress]);
};

/** Same node and tolerations: the change is irrelevant. */
const hasSamePlacement = (a: Pod, b: Pod): boolean =>
  nodeOfPod(a) === nodeOfPod(b) && sameJson(asList(a.spec?.tolerations), asList(b.spec?.tolerations));

const noExecuteTaints = (node: Node): readonly JsonObject[] =>
  asList(node.spec?.taints).filter(({ effect }) => effect === 'NoExecute');

/** Milliseconds; Infinity when the Pod may stay. */
function minTolerationMs(pod: Pod, node: Node): number {
  const tolerations = asList(pod.spec?.tolerations);
  const taints = noExecuteTaints(node);
  const used = taints.map((taint) => tolerations.filter((toleration) => tolerates(toleration, taint)));
  if (used.some((tolerating) => tolerating.length === 0)) return 0;
  const seconds = used.flat().map(({ tolerationSeconds }) => tolerationSeconds);
  return Math.min(Infinity, ...seconds.map((time) => (typeof time === 'number' ? Math.max(0, time) * 1000 : Infinity)));
}

async function evict(client: ApiClient, pod: Pod, lastTransitionTime: string): Promise<Result<unknown>> {
  const { uid = '' } = metadataOf(pod);
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    observedGeneration: generationOf(pod),
    lastTransitionTime,
    reason: 'DeletionByTaintManager',
    message: 'Taint manager: deleting due to NoExecute taint',
  };
  const body = { metadata: { uid }, status: { conditions: [condition] } };
  const marked = await patchObject(client, pods, pod, { type: 'strategic-merge-patch', body, subresource: '/status' });
  return marked.ok ? removeObject(client, pods, pod) : ignoreNotFound(marked);
}
