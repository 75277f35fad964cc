import { asList, asObject, asString } from '../../machinery/json/json.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { ok, type Result } from '../../machinery/meta/result.ts';
import { formatTime } from '../../machinery/meta/time.ts';
import { schedulerUser } from '../client.ts';
import { type ControllerContext, followResource } from '../controller.ts';
import { coreV1, resourcePath } from '../served-resources.ts';
import { type QueueProgress, combineProgress } from '../work-queue.ts';
import { conditionsOf, findCondition, isDeleted, nameOf, statusOf, uidOf } from '../workloads/fields.ts';
import { matchesNodeAffinity, hasUntoleratedTaint } from '../workloads/daemonset/node-fit.ts';
import { createEventRecorder } from '../workloads/event-recorder.ts';
import { queueKey, toObjectName, type ObjectName, syncObjects } from '../workloads/follow-pods.ts';
import { pods } from '../workloads/pod-control.ts';
import { isTerminal, nodeOfPod } from '../workloads/pod-state.ts';
import type { Pod, PodStatus } from '../../api/types/generated/core-v1.ts';
import { putStatus } from '../write-object.ts';

const nodes = coreV1('nodes');

/**
 * Binds each Pod to an allowed node by selector, node affinity and tolerations, the one with the fewest Pods first.
 * Ignores resources, other Pods and priorities.
 */
export function runScheduler(context: ControllerContext): QueueProgress {
  const { store, clock } = context;
  const client = context.clientFor(schedulerUser, 'kube-scheduler');
  const recorder = createEventRecorder('default-scheduler', client, context);
  const podCounts = countPods(context);
  const bind = async (pod: Pod, key: ObjectName): Promise<Result<unknown>> => {
    if (!isSchedulable(pod)) return ok(undefined);
    const node = selectNode(pod, store.list(nodes), podCounts);
    if (node === undefined) {
      const message = `0/${store.list(nodes).length} nodes are available: none suits the Pod's node selector, affinity and tolerations.`;
      if (findCondition(conditionsOf(pod), 'PodScheduled')?.message === message) return ok(undefined);
      recorder.event(pod, 'Warning', 'FailedScheduling', message);
      return putStatus(client, pods, pod, unschedulable(pod, message, clock.now()));
    }
    const path = `${resourcePath(pods, key.namespace, key.name)}/binding`;
    const metadata = { ...key, uid: uidOf(pod) };
    const target = { kind: 'Node', name: node };
    const bound = await client({ method: 'POST', path, body: { kind: 'Binding', apiVersion: 'v1', metadata, target } });
    if (!bound.ok) return [404, 409].includes(bound.status.code ?? 0) ? ok(undefined) : bound;
    recorder.event(pod, 'Normal', 'Scheduled', `Successfully assigned ${queueKey(key)} to ${node}`);
    return bound;
  };
  const queue = syncObjects(context, pods, bind, isSchedulable);
  followResource(context, nodes, () => {
    for (const pod of store.list(pods)) if (isSchedulable(pod)) queue.add(toObjectName(pod));
  });
  return combineProgress([queue.progress, recorder.progress]);
}

const isSchedulable = (pod: Pod): boolean =>
  nodeOfPod(pod) === '' &&
  asString(pod.spec?.schedulerName) === 'default-scheduler' &&
  asList(pod.spec?.schedulingGates).length === 0 &&
  !isDeleted(pod) &&
  !isTerminal(pod);

function countPods(context: ControllerContext): ReadonlyMap<string, number> {
  const podCounts = new Map<string, number>();
  const count = (pod: Pod, by: number): void => {
    const node = nodeOfPod(pod);
    if (node !== '') podCounts.set(node, (podCounts.get(node) ?? 0) + by);
  };
  followResource(context, pods, (change) => {
    if (change.type === 'updated') count(change.previous, -1);
    count(change.object, change.type === 'removed' ? -1 : 1);
  });
  return podCounts;
}

/** undefined when no node is allowed. */
function selectNode(
  pod: Pod,
  all: readonly KubernetesObject[],
  podCounts: ReadonlyMap<string, number>,
): string | undefined {
  const spec = asObject(pod.spec);
  const fitting = all.filter(
    (node) =>
      !isDeleted(node) &&
      matchesNodeAffinity(spec, node) &&
      !hasUntoleratedTaint(spec, node, ['NoSchedule', 'NoExecute']),
  );
  const names = fitting.map(nameOf);
  return names.sort((a, b) => (podCounts.get(a) ?? 0) - (podCounts.get(b) ?? 0) || (a < b ? -1 : 1))[0];
}

const unschedulable = (pod: Pod, message: string, now: number): PodStatus => {
  const others = conditionsOf(pod).filter(({ type }) => type !== 'PodScheduled');
  const time = formatTime(now);
  const condition = {
    type: 'PodScheduled',
    status: 'False',
    lastProbeTime: null,
    lastTransitionTime: time,
    reason: 'Unschedulable',
    message,
  };
  return { ...statusOf(pod), conditions: [...others, condition] };
};
