import { asString } from '../../../machinery/json/json.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import { ok, type Result } from '../../../machinery/meta/result.ts';
import { controllerUser } from '../../client.ts';
import { type Controller, followResource } from '../../controller.ts';
import { createWorkQueue } from '../../work-queue.ts';
import { conditionsOf } from '../conditions.ts';
import { isDeleted, optionalInt } from '../fields.ts';
import { keyOfName, nameIn, type ObjectName } from '../follow-pods.ts';
import { millisecondsOf } from '../pod-state.ts';
import { removeObject } from '../../write-object.ts';
import { jobs } from './track.ts';
import type { Job } from '../../../api/types/generated/batch-v1.ts';

/**
 * Deletes Jobs ttlSecondsAfterFinished after their end. Follows
 * pkg/controller/ttlafterfinished/ttlafterfinished_controller.go.
 */
export const ttlAfterFinished: Controller = (context) => {
  const { store, clock } = context;
  const client = context.clientFor(controllerUser('ttl-after-finished-controller'));
  const sync = async (key: ObjectName): Promise<Result<unknown>> => {
    const job: Job | undefined = store.get(jobs, key.namespace, key.name);
    const expiry = job && expiryOf(job);
    if (!job || expiry === undefined || isDeleted(job)) return ok(undefined);
    const wait = expiry - clock.now();
    if (wait > 0) {
      queue.addLater(key, wait);
      return ok(undefined);
    }
    const { uid = '' } = metadataOf(job);
    return removeObject(client, jobs, job, { propagationPolicy: 'Foreground', preconditions: { uid } });
  };
  const queue = createWorkQueue(keyOfName, sync, context);
  followResource(context, jobs, ({ type, object }) => {
    if (type !== 'removed' && expiryOf(object) !== undefined) queue.add(nameIn(object));
  });
  return queue.progress;
};

/** In milliseconds since 1970; undefined while it runs or without a ttl. */
function expiryOf(job: Job): number | undefined {
  const seconds = optionalInt(job.spec?.ttlSecondsAfterFinished);
  const end = conditionsOf(job).find(
    ({ type, status }) => status === 'True' && (type === 'Complete' || type === 'Failed'),
  );
  const ended = millisecondsOf(asString(end?.lastTransitionTime));
  return seconds === undefined || ended === undefined ? undefined : ended + seconds * 1000;
}
