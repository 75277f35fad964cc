import { asString } from '../machinery/json/json.ts';
import { metadataOf } from '../machinery/meta/object.ts';
import { ok, type Result } from '../machinery/meta/result.ts';
import { keyOfName, nameIn, type ObjectName } from './workloads/follow-pods.ts';
import { millisecondsOf } from './workloads/pod-state.ts';
import { removeObject } from './write-object.ts';
import { type Controller, followResource } from './controller.ts';
import { coreV1 } from './served-resources.ts';
import { createWorkQueue } from './work-queue.ts';
import type { Pod } from '../api/types/generated/core-v1.ts';

const pods = coreV1('pods');

/**
 * Removes pods after their grace period in place of a kubelet. Follows pkg/kubelet/status/status_manager.go syncPod
 * (rule PATH-42).
 */
export const podTerminator: Controller = (context) => {
  const { store, clock } = context;
  const sync = async (key: ObjectName): Promise<Result<unknown>> => {
    const pod: Pod | undefined = store.get(pods, key.namespace, key.name);
    const due = pod && dueTime(pod);
    if (!pod || due === undefined) return ok(undefined);
    if (due > clock.now()) {
      queue.addLater(key, due - clock.now());
      return ok(undefined);
    }
    const { uid = '' } = metadataOf(pod);
    const client = context.clientFor({
      username: `system:node:${asString(pod.spec?.nodeName)}`,
      uid: '',
      groups: ['system:nodes', 'system:authenticated'],
      extra: {},
    });
    return removeObject(client, pods, pod, { gracePeriodSeconds: 0, preconditions: { uid } });
  };
  const queue = createWorkQueue(keyOfName, sync, context);
  followResource(context, pods, ({ type, object }) => {
    if (type !== 'removed' && dueTime(object) !== undefined) queue.add(nameIn(object));
  });
  return queue.progress;
};

/** The end of the grace period of a bound pod, in milliseconds since 1970; undefined for other pods. */
function dueTime(pod: Pod): number | undefined {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadataOf(pod);
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === 0) return undefined;
  if (asString(pod.spec?.nodeName) === '') return undefined;
  return millisecondsOf(deletionTimestamp);
}
