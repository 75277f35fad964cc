import { finishedCondition } from './job-conditions.ts';
import { asString } from '../../../machinery/json/json.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import { ok, type Result } from '../../../machinery/meta/result.ts';
import { controllerUser } from '../../client.ts';
import type { Controller } from '../../controller.ts';
import { isDeleted, optionalInt } from '../fields.ts';
import { type ObjectName, syncObjects } from '../follow-pods.ts';
import { millisecondsOf } from '../pod-state.ts';
import { removeObject } from '../../write-object.ts';
import { jobs } from './track.ts';
import type { Job } from '../../../api/types/generated/batch-v1.ts';

/**
 * Deletes Jobs ttlSecondsAfterFinished after their end. Follows
 * pkg/controller/ttlafterfinished/ttlafterfinished_controller.go.
 */
export const ttlAfterFinished: Controller = (context) => {
  const client = context.clientFor(controllerUser('ttl-after-finished-controller'));
  const expire = async (job: Job, key: ObjectName): Promise<Result<unknown>> => {
    const expiry = expirationTime(job);
    if (expiry === undefined || isDeleted(job)) return ok(undefined);
    const wait = expiry - context.clock.now();
    if (wait > 0) return ok(queue.addAfter(key, wait));
    const { uid = '' } = metadataOf(job);
    return removeObject(client, jobs, job, { propagationPolicy: 'Foreground', preconditions: { uid } });
  };
  const queue = syncObjects(context, jobs, expire, (job) => expirationTime(job) !== undefined);
  return queue.progress;
};

/** In milliseconds since 1970; undefined while it runs or without a ttl. */
function expirationTime(job: Job): number | undefined {
  const seconds = optionalInt(job.spec?.ttlSecondsAfterFinished);
  const ended = millisecondsOf(asString(finishedCondition(job)?.lastTransitionTime));
  return seconds === undefined || ended === undefined ? undefined : ended + seconds * 1000;
}
