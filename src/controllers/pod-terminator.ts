import { nodeUser } from './client.ts';
import { metadataOf } from '../machinery/meta/object.ts';
import { ok, type Result } from '../machinery/meta/result.ts';
import { type ObjectName, syncObjects } from './workloads/follow-pods.ts';
import { millisecondsOf, nodeOfPod } from './workloads/pod-state.ts';
import { removeObject } from './write-object.ts';
import type { Controller } from './controller.ts';
import { coreV1 } from './served-resources.ts';
import type { Pod } from '../api/types/generated/core-v1.ts';

const pods = coreV1('pods');

/**
 * Removes pods after their grace period in place of a kubelet. Follows pkg/kubelet/status/status_manager.go syncPod
 * (rule PATH-42).
 */
export const podTerminator: Controller = (context) => {
  const remove = async (pod: Pod, key: ObjectName): Promise<Result<unknown>> => {
    const due = dueTime(pod);
    if (due === undefined) return ok(undefined);
    const wait = due - context.clock.now();
    if (wait > 0) return ok(queue.addAfter(key, wait));
    const { uid = '' } = metadataOf(pod);
    const client = context.clientFor(nodeUser(nodeOfPod(pod)));
    return removeObject(client, pods, pod, { gracePeriodSeconds: 0, preconditions: { uid } });
  };
  const queue = syncObjects(context, pods, remove, (pod) => dueTime(pod) !== undefined);
  return queue.progress;
};

/** The end of the grace period of a bound pod, in milliseconds since 1970; undefined for other pods. */
function dueTime(pod: Pod): number | undefined {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadataOf(pod);
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === 0) return undefined;
  if (nodeOfPod(pod) === '') return undefined;
  return millisecondsOf(deletionTimestamp);
}
