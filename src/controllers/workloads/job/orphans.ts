import { ok } from '../../../machinery/meta/result.ts';
import type { Client } from '../../client.ts';
import { follow } from '../../controller.ts';
import type { ControllerContext } from '../../controller.ts';
import { createWorkQueue } from '../../work-queue.ts';
import type { Progress } from '../../work-queue.ts';
import { namespaceOf, uidOf } from '../fields.ts';
import { keyOfName, nameIn } from '../follow-pods.ts';
import { controllerOf } from '../ownership.ts';
import { pods } from '../pod-control.ts';
import { isTracked } from './job-pod.ts';
import { jobs, untrack } from './track.ts';
import type { Pod } from '../../../api/types/generated/core-v1.ts';

/** Lets go of Pods that were held for a Job which is gone. Follows pkg/controller/job/job_controller.go syncOrphanPod. */
export function followOrphans(context: ControllerContext, client: Client): Progress {
  const { store } = context;
  const hasJob = (pod: Pod): boolean => {
    const owner = controllerOf(pod);
    const job = owner?.kind === 'Job' ? store.get(jobs, namespaceOf(pod), owner.name) : undefined;
    return job !== undefined && uidOf(job) === owner?.uid;
  };
  const queue = createWorkQueue(
    keyOfName,
    async ({ namespace, name }) => {
      const pod = store.get(pods, namespace, name);
      return !pod || !isTracked(pod) || hasJob(pod) ? ok(undefined) : untrack(client, pod);
    },
    context,
  );
  follow(context, pods, (change) => {
    if (change.type === 'removed' || !isTracked(change.object) || hasJob(change.object)) return;
    // One that nobody ever owned may yet be adopted; one that was let go of, or is being deleted, is not.
    const wasOwned = change.type === 'updated' && controllerOf(change.previous) !== undefined;
    if (wasOwned || change.object.metadata?.deletionTimestamp !== undefined) queue.add(nameIn(change.object));
  });
  follow(context, jobs, ({ type, object }) => {
    if (type !== 'removed') return;
    for (const pod of store.list(pods, namespaceOf(object))) {
      if (controllerOf(pod)?.uid === uidOf(object)) queue.add(nameIn(pod));
    }
  });
  return queue.progress;
}
