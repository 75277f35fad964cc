import { asString } from '../machinery/json/json.ts';
import { metadataOf } from '../machinery/meta/object.ts';
import { ok, type Result } from '../machinery/meta/result.ts';
import { parseTime } from '../machinery/meta/time.ts';
import type { User } from './client.ts';
import { type Controller, followResource } from './controller.ts';
import { coreV1, resourcePath } from './served-resources.ts';
import { createWorkQueue } from './work-queue.ts';
import type { Pod } from '../api/types/generated/core-v1.ts';

const pods = coreV1('pods');

/**
 * Removes pods after their grace period in place of a kubelet. Follows pkg/kubelet/status/status_manager.go syncPod
 * (rule PATH-42).
 */
export const podTerminator: Controller = (context) => {
  const { store, clock } = context;
  const sync = async ({ namespace, name }: PodName): Promise<Result<unknown>> => {
    const pod: Pod | undefined = store.get(pods, namespace, name);
    const due = pod && dueTime(pod);
    if (!pod || due === undefined) return ok(undefined);
    if (due > clock.now()) {
      queue.addLater({ namespace, name }, due - clock.now());
      return ok(undefined);
    }
    const { uid = '' } = metadataOf(pod);
    const client = context.clientFor(nodeUser(asString(pod.spec?.nodeName)));
    const body = { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0, preconditions: { uid } };
    const deleted = await client({ method: 'DELETE', path: resourcePath(pods, namespace, name), body });
    return deleted.ok || deleted.status.code === 404 ? ok(undefined) : deleted;
  };
  const queue = createWorkQueue<PodName>(({ namespace, name }) => `${namespace}/${name}`, sync, context);
  followResource(context, pods, ({ type, object }) => {
    const { namespace = '', name = '' } = metadataOf(object);
    if (type !== 'removed' && dueTime(object) !== undefined) queue.add({ namespace, name });
  });
  return queue.progress;
};

interface PodName {
  readonly namespace: string;
  readonly name: string;
}

/** The end of the grace period of a bound pod, in milliseconds since 1970; undefined for other pods. */
function dueTime(pod: Pod): number | undefined {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadataOf(pod);
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === 0) return undefined;
  if (asString(pod.spec?.nodeName) === '') return undefined;
  const reading = parseTime(deletionTimestamp);
  return reading.outcome === 'parsed' ? reading.moment.seconds * 1000 : undefined;
}

const nodeUser = (node: string): User => ({
  username: `system:node:${node}`,
  uid: '',
  groups: ['system:nodes', 'system:authenticated'],
  extra: {},
});
