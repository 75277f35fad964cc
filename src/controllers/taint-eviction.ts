import { asList, asObject, asString, valueAt } from '../apimachinery/json.ts';
import type { JsonObject } from '../apimachinery/json.ts';
import { metadataOf } from '../apimachinery/object.ts';
import type { KubernetesObject } from '../apimachinery/object.ts';
import { ok } from '../apimachinery/result.ts';
import type { Result } from '../apimachinery/result.ts';
import { formatTime } from '../apimachinery/time.ts';
import { controllerUser } from './client.ts';
import type { Client } from './client.ts';
import { follow } from './controller.ts';
import type { Controller } from './controller.ts';
import { coreV1, pathOf } from './served-resources.ts';
import { createWorkQueue, progressOf } from './work-queue.ts';
import { tolerates } from './workloads/daemonset/node-fit.ts';
import { createEventRecorder } from './workloads/event-recorder.ts';
import { generationOf, isDeleted, nameOf, namespaceOf, uidOf } from './workloads/fields.ts';
import { keyOfName, nameIn } from './workloads/follow-pods.ts';
import type { ObjectName } from './workloads/follow-pods.ts';

const pods = coreV1('pods');
const nodes = coreV1('nodes');

/**
 * Deletes Pods from nodes with NoExecute taints: at once, or after as long as they tolerate them.
 * Follows pkg/controller/tainteviction/taint_eviction.go.
 */
export const taintEviction: Controller = (context) => {
  const { store, clock } = context;
  const client = context.clientFor(controllerUser('node-controller'));
  const recorder = createEventRecorder('taint-eviction-controller', client, context);
  /** Since when Pods, by uid, have been on a node that they will have to leave. */
  const since = new Map<string, number>();
  const sync = async ({ namespace, name }: ObjectName): Promise<Result<unknown>> => {
    const pod = store.get(pods, namespace, name);
    if (!pod || isDeleted(pod)) return ok(undefined);
    const wait = toleratedFor(pod, store.get(nodes, '', asString(valueAt(pod, 'spec', 'nodeName'))));
    if (wait === Infinity) return ok(since.delete(uidOf(pod)));
    const now = clock.now();
    const begun = since.get(uidOf(pod)) ?? now;
    since.set(uidOf(pod), begun);
    if (begun + wait > now) return ok(queue.addLater({ namespace, name }, begun + wait - now));
    recorder.event(pod, 'Normal', 'TaintManagerEviction', `Marking for deletion Pod ${namespace}/${name}`);
    return evict(client, pod, formatTime(now));
  };
  const queue = createWorkQueue(keyOfName, sync, context);
  follow(context, pods, ({ type, object }) => {
    if (type === 'removed') since.delete(uidOf(object));
    else if (asString(valueAt(object, 'spec', 'nodeName')) !== '') queue.add(nameIn(object));
  });
  follow(context, nodes, (change) => {
    const before = change.type === 'updated' ? taintsOf(change.previous).length : 0;
    if (change.type === 'removed' || before + taintsOf(change.object).length === 0) return;
    for (const pod of store.list(pods))
      if (valueAt(pod, 'spec', 'nodeName') === nameOf(change.object)) queue.add(nameIn(pod));
  });
  return progressOf([queue.progress, recorder.progress]);
};

const taintsOf = (node: KubernetesObject | undefined): readonly JsonObject[] =>
  asList(valueAt(node, 'spec', 'taints'))
    .map(asObject)
    .filter(({ effect }) => effect === 'NoExecute');

/** Milliseconds; Infinity for a node that the Pod may stay on. */
function toleratedFor(pod: KubernetesObject, node: KubernetesObject | undefined): number {
  const tolerations = asList(valueAt(pod, 'spec', 'tolerations')).map(asObject);
  const taints = taintsOf(node);
  const used = taints.map((taint) => tolerations.filter((toleration) => tolerates(toleration, taint)));
  if (used.some((tolerating) => tolerating.length === 0)) return 0;
  const seconds = used.flat().map(({ tolerationSeconds }) => tolerationSeconds);
  return Math.min(Infinity, ...seconds.map((time) => (typeof time === 'number' ? Math.max(0, time) * 1000 : Infinity)));
}

async function evict(client: Client, pod: KubernetesObject, lastTransitionTime: string): Promise<Result<unknown>> {
  const path = pathOf(pods, namespaceOf(pod), nameOf(pod));
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
  const contentType = 'application/strategic-merge-patch+json';
  const marked = await client({ method: 'PATCH', path: `${path}/status`, body, contentType });
  const deleted = marked.ok ? await client({ method: 'DELETE', path }) : marked;
  return deleted.ok || deleted.status.code === 404 ? ok(undefined) : deleted;
}
